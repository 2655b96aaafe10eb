import { css } from 'lit';
import { listStyles } from './views/event-list.styles.js';
import { statusStyles } from './views/replay-status.styles.js';
import { timelineStyles } from './views/timeline.styles.js';

const base = css`
  :host {
    --_background: var(--cloud-browser-background, #0f1115);
    --_text: var(--cloud-browser-text-color, #eceef2);
    --_accent: var(--cloud-browser-accent-color, #8ab4f8);
    --_marker: #ffd479;
    --_problem: #ff8a80;
    --_line: color-mix(in srgb, var(--_text) 22%, transparent);
    --_faint: color-mix(in srgb, var(--_text) 72%, var(--_background));

    display: flex;
    container-type: inline-size;
    overflow: hidden;
    background: var(--_background);
    color: var(--_text);
    font:
      14px/1.45 system-ui,
      sans-serif;
  }

  :host([hidden]) {
    display: none;
  }

  * {
    box-sizing: border-box;
  }

  .player {
    display: flex;
    flex-direction: column;
    flex: 1;
    min-width: 0;
    min-height: 0;
  }

  .main-column {
    display: flex;
    flex-direction: column;
    flex: 1 1 auto;
    min-width: 0;
    min-height: 0;
  }

  .picture {
    position: relative;
    flex: 1 1 auto;
    min-height: 120px;
    aspect-ratio: 16 / 9;
    background: #000;
  }

  video {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    object-fit: contain;
  }

  button,
  select {
    font: inherit;
    color: inherit;
    cursor: pointer;
  }

  :is(button, select):focus-visible,
  .seek:focus-visible ~ .thumb,
  .timeline:has(.seek:focus-visible) .thumb {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }

  .time,
  time {
    font-variant-numeric: tabular-nums;
  }

  .chapter {
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
  }

  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px;
    padding: 2px 8px 8px;
    /* The buttons belong to the timeline: back is left and forward is right, also on their icons. */
    direction: ltr;
  }

  .controls button {
    display: inline-grid;
    place-items: center;
    width: 38px;
    height: 38px;
    padding: 0;
    border: 0;
    border-radius: 10px;
    background: none;
  }

  .controls button:hover {
    background: var(--_line);
  }

  .controls button[aria-pressed='true'] {
    color: var(--_accent);
    background: color-mix(in srgb, var(--_accent) 18%, transparent);
  }

  .controls .main {
    background: var(--_text);
    color: var(--_background);
    border-radius: 50%;
    margin-inline-end: 4px;
  }

  .controls .main:hover {
    background: color-mix(in srgb, var(--_text) 82%, var(--_accent));
  }

  svg {
    width: 22px;
    height: 22px;
    fill: currentColor;
  }

  .time {
    padding-inline: 8px 12px;
    white-space: nowrap;
  }

  .chapter {
    flex: 1 1 0;
    min-width: 0;
    color: var(--_faint);
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }

  .more {
    display: flex;
    align-items: center;
    gap: 2px;
    margin-inline-start: auto;
  }

  .speed {
    height: 32px;
    padding: 0 4px;
    border: 1px solid var(--_line);
    border-radius: 8px;
    background: var(--_background);
    margin-inline-end: 4px;
  }

  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  @container (inline-size < 560px) {
    .chapter {
      flex-basis: 0;
    }

    .more {
      flex: 1 0 100%;
      justify-content: space-between;
    }

    .controls button {
      width: 42px;
      height: 42px;
    }
  }

  @media (forced-colors: active) {
    :host {
      --_background: Canvas;
      --_text: CanvasText;
      --_accent: Highlight;
      --_marker: CanvasText;
      --_problem: CanvasText;
    }

    .controls button {
      border: 1px solid CanvasText;
    }

    .controls button[aria-pressed='true'] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`;

export const styles = [base, listStyles, statusStyles, timelineStyles];

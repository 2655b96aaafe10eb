import { css } from 'lit';
import { footStyles } from './status/foot.styles.js';

const base = css`
  :host {
    --_background: var(--cloud-browser-background, #0f1115);
    --_text: var(--cloud-browser-text-color, #eceef2);
    --_accent: var(--cloud-browser-accent-color, #8ab4f8);
    --_scrim: var(--cloud-browser-scrim, rgb(15 17 21 / 0.78));

    display: block;
    position: relative;
    aspect-ratio: 16 / 9;
    overflow: hidden;
    background: var(--_background);
    color: var(--_text);
    font:
      14px/1.5 system-ui,
      sans-serif;
    outline: none;
    contain: layout paint;
  }

  :host([hidden]) {
    display: none;
  }

  .surface {
    position: absolute;
    inset: 0;
    /* The picture is placed from left to right, also on right-to-left pages. */
    direction: ltr;
    overflow: hidden;
    /* A focused child must not scroll the surface. */
    overflow: clip;
    outline: none;
    user-select: none;
    -webkit-user-select: none;
    -webkit-touch-callout: none;
  }

  .focus-ring {
    position: absolute;
    inset: 0;
    pointer-events: none;
  }

  .surface:focus-within + .focus-ring {
    box-shadow: inset 0 0 0 2px var(--cloud-browser-focus-color, transparent);
  }

  /* Two tones are visible on any colour of the picture. */
  .surface:focus-within + .focus-ring.shown {
    outline: 2px solid var(--cloud-browser-focus-color, var(--_accent));
    outline-offset: -2px;
    box-shadow: inset 0 0 0 3px rgb(0 0 0 / 0.55);
  }

  .layer {
    position: absolute;
    inset: 0;
    pointer-events: none;
  }

  /* Keeps styles for the page's own text away. Font and colours come from the host. */
  .agents,
  .asking,
  .lower,
  .status {
    line-height: 1.5;
    letter-spacing: normal;
    word-spacing: normal;
    text-indent: 0;
    text-shadow: none;
    text-transform: none;
    white-space: normal;
  }

  .layer ::slotted(*) {
    pointer-events: auto;
  }

  .status {
    display: grid;
    place-items: safe center;
    padding: max(16px, env(safe-area-inset-top)) max(16px, env(safe-area-inset-right))
      max(16px, env(safe-area-inset-bottom)) max(16px, env(safe-area-inset-left));
    box-sizing: border-box;
    overflow: auto;
  }

  .status.covering {
    pointer-events: auto;
    background: var(--_scrim);
    backdrop-filter: blur(6px);
    animation: appear 200ms ease-out both;
  }

  /* Hides the last picture completely. */
  .status.covering.opaque {
    background: var(--_background);
    animation: none;
  }

  /* Delays the spinner, so a fast connection shows no flash. There is no picture to blur yet. */
  .status.covering.busy {
    animation-delay: 150ms;
    backdrop-filter: none;
  }

  .status.light {
    place-items: start center;
    pointer-events: none;
  }

  .panel {
    display: grid;
    justify-items: center;
    gap: 6px;
    max-width: 34ch;
    text-align: center;
    text-wrap: balance;
  }

  .title {
    margin: 0;
    font-size: 17px;
    font-weight: 600;
    letter-spacing: -0.01em;
  }

  .detail {
    margin: 0;
    opacity: 0.86;
  }

  /* Messages of pages and of authorization endpoints may contain a long address. */
  .pill,
  .panel {
    overflow-wrap: anywhere;
  }

  /*
   * The background of these elements is always dark. So the text is light, independent of the colours that
   * the page sets for panels.
   */
  .pill,
  .files {
    --_text: #eceef2;
    --_background: #0f1115;

    color: var(--_text);
  }

  .pill {
    display: inline-flex;
    align-items: center;
    gap: 10px;
    padding: 7px 14px;
    border-radius: 18px;
    box-sizing: border-box;
    max-width: 100%;
    background: rgb(28 31 38 / 0.94);
    box-shadow:
      0 0 0 1px rgb(255 255 255 / 0.08),
      0 6px 24px rgb(0 0 0 / 0.35);
    font-size: 13px;
    animation: appear 200ms ease-out both;
  }

  .spinner {
    flex: none;
    width: 28px;
    height: 28px;
    margin-bottom: 8px;
    border: 2.5px solid color-mix(in srgb, currentcolor 18%, transparent);
    border-top-color: var(--_accent);
    border-radius: 50%;
    box-sizing: border-box;
    /*
     * The spinner turns in few steps. Without a GPU, each step is as expensive for the viewer's machine as a
     * frame of video.
     */
    animation: turn 960ms steps(12) infinite;
  }

  .pill .spinner {
    width: 14px;
    height: 14px;
    margin: 0;
    border-width: 2px;
  }

  .steps {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 8px;
    margin-top: 12px;
  }

  button {
    padding: 8px 18px;
    border: 0;
    border-radius: 8px;
    background: var(--_text);
    color: var(--_background);
    font: inherit;
    font-weight: 600;
    cursor: pointer;
    transition: opacity 120ms;
  }

  button:hover {
    opacity: 0.88;
  }

  button:focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 3px;
  }

  button.quiet {
    background: none;
    color: inherit;
    box-shadow: inset 0 0 0 1px color-mix(in srgb, currentcolor 30%, transparent);
  }

  /* Touch screens need larger buttons. */
  @media (any-pointer: coarse) {
    button {
      min-height: 44px;
    }
  }

  @media (hover: none) {
    .hint {
      display: none;
    }
  }

  @keyframes appear {
    from {
      opacity: 0;
    }
  }

  @keyframes leave {
    to {
      opacity: 0;
      visibility: hidden;
    }
  }

  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    .status.covering,
    .pill {
      animation: none;
    }

    .spinner {
      animation-duration: 4s;
    }

    button {
      transition: none;
    }
  }

  @media (forced-colors: active) {
    .pill,
    button {
      border: 1px solid;
    }

    button {
      background: ButtonFace;
      color: ButtonText;
    }

    .spinner {
      forced-color-adjust: none;
      border-color: GrayText;
      border-top-color: CanvasText;
    }

    .surface:focus-within + .focus-ring.shown {
      outline-color: Highlight;
    }
  }
`;

/** Styles as constructable stylesheets. So the element works on pages that forbid inline styles. */
export const styles = [base, footStyles];

import { css } from 'lit';

/** Styles of the file list. The element adopts them when it creates its file list. */
export const fileStyles = css`
  .files {
    position: relative;
    display: flex;
    flex-direction: column;
    grid-area: files;
    justify-self: end;
    width: min(300px, 100cqw - 24px);
    max-height: 100%;
    margin-inline-start: 8px;
    border-radius: 12px;
    box-sizing: border-box;
    overflow: hidden;
    pointer-events: auto;
    background: rgb(28 31 38);
    box-shadow:
      0 0 0 1px rgb(255 255 255 / 0.08),
      0 8px 32px rgb(0 0 0 / 0.4);
    font-size: 13px;
    line-height: 1.4;
    animation: appear 200ms ease-out both;
  }

  .files:empty {
    display: none;
  }

  .files:has(> .unfold) {
    width: auto;
    border-radius: 18px;
  }

  .files .head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    padding-block: 8px 4px;
    padding-inline: 14px 8px;
  }

  .files h2 {
    margin: 0;
    font-size: 13px;
    font-weight: 600;
  }

  .files ul {
    margin: 0;
    padding: 0 14px 12px;
    overflow-y: auto;
    overscroll-behavior: contain;
    list-style: none;
  }

  .files li {
    padding: 8px 0;
  }

  .files li + li {
    border-top: 1px solid rgb(255 255 255 / 0.08);
  }

  /* Text keeps its own direction but is aligned with the start of the list. */
  .files .asked,
  .files .name,
  .files .detail {
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }

  .files .name {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .files .detail {
    font-size: 12px;
    font-variant-numeric: tabular-nums;
    opacity: 0.78;
  }

  .files progress {
    display: block;
    width: 100%;
    height: 4px;
    margin: 6px 0 2px;
    border: 0;
    border-radius: 2px;
    appearance: none;
    background: rgb(255 255 255 / 0.14);
    accent-color: var(--_accent);
  }

  .files progress::-webkit-progress-bar {
    border-radius: 2px;
    background: rgb(255 255 255 / 0.14);
  }

  .files progress::-webkit-progress-value {
    border-radius: 2px;
    background: var(--_accent);
  }

  .files progress::-moz-progress-bar {
    border-radius: 2px;
    background: var(--_accent);
  }

  .files .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin-top: 6px;
  }

  .files button {
    min-height: 32px;
    margin: 0;
    padding: 4px 12px;
    border-radius: 7px;
    background: rgb(255 255 255 / 0.12);
    color: inherit;
    font-size: 13px;
    font-weight: 500;
  }

  .files button.main {
    background: var(--_text);
    color: var(--_background);
    font-weight: 600;
  }

  .files button.hide {
    width: 32px;
    padding: 0;
    background: none;
    font-size: 18px;
    line-height: 1;
  }

  .files .unfold {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 7px 14px;
    border-radius: 18px;
    background: none;
    white-space: nowrap;
  }

  .files .unfold:focus-visible {
    outline-offset: -3px;
  }

  .files .unfold svg {
    width: 14px;
    height: 14px;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  .files .spoken {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  @media (pointer: coarse) {
    .files button {
      min-height: 40px;
    }

    .files button.hide {
      width: 40px;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    .files {
      animation: none;
    }
  }

  @media (forced-colors: active) {
    .files {
      border: 1px solid;
      background: Canvas;
    }

    .files .detail {
      opacity: 1;
    }

    .files progress {
      border: 1px solid;
    }

    .files progress::-webkit-progress-value {
      background: Highlight;
    }
  }
`;

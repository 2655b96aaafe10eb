import { css } from 'lit';

/** Styles of the timeline. */
export const timelineStyles = css`
  .timeline {
    position: relative;
    height: 26px;
    margin: 4px 14px 0;
    /* Time goes from left to right in every language, as in other players. */
    direction: ltr;
    touch-action: none;
  }

  .track {
    position: absolute;
    inset: 12px 0 auto;
    height: 6px;
    border-radius: 3px;
    overflow: hidden;
    background: var(--_line);
  }

  .idle {
    position: absolute;
    inset-block: 0;
    background: repeating-linear-gradient(
      115deg,
      transparent 0 3px,
      color-mix(in srgb, var(--_background) 75%, transparent) 3px 6px
    );
  }

  .played {
    position: absolute;
    inset: 0 auto 0 0;
    background: var(--_accent);
  }

  .cut {
    position: absolute;
    inset-block: 0;
    width: 3px;
    margin-left: -1.5px;
    background: var(--_background);
  }

  .marks i {
    position: absolute;
    top: 5px;
    width: 2px;
    height: 4px;
    margin-left: -1px;
    border-radius: 1px;
    background: color-mix(in srgb, var(--_text) 45%, transparent);
  }

  .marks .page {
    top: 3px;
    height: 6px;
    background: var(--_text);
  }

  .marks .marker,
  .marks .problem {
    top: 0;
    width: 8px;
    height: 8px;
    margin-left: -4px;
    border-radius: 2px;
    rotate: 45deg;
    background: var(--_marker);
  }

  .marks .problem {
    background: var(--_problem);
  }

  .thumb {
    position: absolute;
    top: 8px;
    width: 14px;
    height: 14px;
    margin-left: -7px;
    border-radius: 50%;
    background: var(--_text);
    box-shadow: 0 1px 4px rgb(0 0 0 / 0.5);
  }

  .seek {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }

  .tip {
    position: absolute;
    bottom: 28px;
    display: grid;
    max-width: min(320px, 70cqi);
    padding: 5px 10px;
    border-radius: 8px;
    background: color-mix(in srgb, var(--_background) 92%, var(--_text));
    box-shadow: 0 4px 16px rgb(0 0 0 / 0.45);
    font-size: 12.5px;
    text-align: center;
    translate: -50% 0;
    pointer-events: none;
    z-index: 1;
  }

  .tip b {
    font-variant-numeric: tabular-nums;
  }

  .tip span {
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
  }

  @media (forced-colors: active) {
    .track,
    .tip {
      border: 1px solid CanvasText;
    }

    .played,
    .thumb,
    .marks i {
      forced-color-adjust: none;
      background: Highlight;
    }

    .marks i {
      background: CanvasText;
    }
  }
`;

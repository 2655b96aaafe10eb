import { css } from 'lit';

/** Styles of the messages at the lower edge of a playing picture. */
export const playingStyles = css`
  .playing {
    display: flex;
    flex-direction: column;
    grid-area: playing;
    align-items: center;
    gap: 8px;
    /* Messages that do not fit may cover the space that the foot leaves above, except its margin of 12 px. */
    max-height: calc(100% + 68px);
    /* The padding leaves room for shadows and focus rings. */
    margin: -12px;
    padding: 12px;
    scroll-padding: 12px;
    box-sizing: border-box;
    overflow: hidden auto;
  }

  /* Keeps the messages at the lower edge. With flex-end, the first ones could not be scrolled into view. */
  .playing::before {
    content: '';
    margin-block: auto -8px;
  }

  .playing ::slotted(*),
  .warning,
  .action {
    pointer-events: auto;
  }

  .action {
    color: var(--_text);
    background: rgb(28 31 38 / 0.94);
  }

  .action svg {
    width: 16px;
    height: 16px;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.6;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  .warning button {
    flex: none;
    margin-block: -2px;
    margin-inline: 0 -8px;
    padding: 4px 14px;
    border-radius: 14px;
  }

  .recording .dot {
    flex: none;
    width: 10px;
    height: 10px;
    border-radius: 50%;
    background: #ff5a52;
    forced-color-adjust: none;
  }

  /*
   * After some seconds, a short word replaces the sentence, so that the message covers little of the picture.
   * The sentence keeps a size of one pixel, because screen readers do not read elements without a size.
   */
  .recording .sentence,
  .recording .short {
    overflow: hidden;
    animation: shrink 1ms 8s both;
  }

  .recording .short {
    animation-direction: reverse;
  }

  @keyframes shrink {
    to {
      max-width: 1px;
      max-height: 1px;
      margin-inline-end: -11px;
      opacity: 0;
    }
  }

  time {
    font-variant-numeric: tabular-nums;
    font-weight: 600;
  }

  .images {
    margin: 0;
    font-size: 12px;
    animation: leave 400ms ease-in 10s both;
  }
`;

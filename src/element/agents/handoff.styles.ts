import { css } from 'lit';

/** Styles of the bar with the request of an agent. */
export const handoffStyles = css`
  .handoff {
    pointer-events: auto;
  }

  .handoff.pill {
    position: relative;
    flex-wrap: wrap;
    gap: 8px 16px;
    /* Longer lines are hard to read. */
    max-width: min(640px, 100%);
    padding: 10px 16px;
    padding-inline-end: 52px;
  }

  .handoff.folded {
    padding: 0;
  }

  /* Screen readers can still read the text of a folded bar. */
  .folded .request {
    position: absolute;
    width: 1px;
    height: 1px;
    padding: 0;
    overflow: hidden;
    clip-path: inset(50%);
  }

  .fold {
    position: absolute;
    inset-block-start: 4px;
    inset-inline-end: 4px;
    padding: 14px;
    border-radius: 14px;
    background: none;
    color: inherit;
  }

  .folded .fold {
    display: flex;
    position: static;
    align-items: center;
    gap: 8px;
    min-width: 0;
    padding: 8px 14px;
    border-radius: 18px;
  }

  .fold span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .fold svg {
    display: block;
    flex: none;
    width: 16px;
    height: 16px;
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  .folded .fold svg {
    rotate: 180deg;
  }

  /* If the answers do not fit beside the lines of the text, the text takes the whole width above them. */
  .request {
    flex: 1 1 auto;
    max-height: 30vh;
    max-height: 40cqh;
    overflow: auto;
    overflow-wrap: anywhere;
  }

  .request p {
    margin: 0;
    white-space: pre-line;
  }

  .answers {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }

  .answers[hidden] {
    display: none;
  }

  /*
   * In a narrow bar the answers have a row of their own, which needs no space for the button that folds. On a
   * low picture the text scrolls first, then the answers.
   */
  @container (width < 480px) or (height < 240px) {
    .handoff.pill:not(.folded) {
      flex-flow: column nowrap;
      align-items: stretch;
      padding-inline-end: 16px;
      min-height: min(140px, 50cqh);
    }

    .pill .request {
      flex: 0 1000 auto;
      min-height: 20px;
      padding-inline-end: 32px;
    }

    /* The padding leaves room for the focus rings of the buttons. */
    .answers {
      margin: -6px;
      padding: 6px;
      min-height: 0;
      overflow: auto;
    }
  }

  .answers button {
    padding: 6px 14px;
  }

  .note {
    align-self: center;
  }

  @container (height < 160px) {
    .handoff.pill:not(.folded) {
      gap: 4px;
      padding: 6px 10px;
    }

    .answers {
      gap: 4px;
    }

    .answers button {
      padding: 4px 6px;
    }

    .handoff:not(.folded) .fold {
      inset: 0 0 auto auto;
      padding: 8px;
    }
  }

  .note[open],
  .answers:has([open]) {
    flex-basis: 100%;
  }

  .note summary {
    padding: 6px;
    border-radius: 6px;
    cursor: pointer;
    text-decoration: underline;
    list-style: none;
  }

  .note summary::-webkit-details-marker {
    display: none;
  }

  .note textarea {
    min-width: 180px;
    padding: 8px 10px;
    resize: none;
  }

  /* Touch screens need larger targets. */
  @media (any-pointer: coarse) {
    .note summary {
      padding: 12px 6px;
    }
  }
`;

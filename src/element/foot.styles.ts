import { css } from 'lit';

/** What lies along the lower edge of the picture. */
export const footStyles = css`
  .lower {
    container-type: size;
  }

  /* Nothing in it lies over another: what is said, the list of files, the button for the keyboard. Above it there is room for a line. */
  .foot {
    display: grid;
    grid:
      'cues files' minmax(0, 1fr)
      'cues keys' auto / minmax(0, 1fr) auto;
    align-items: end;
    height: 100%;
    padding: 56px max(12px, env(safe-area-inset-right))
      calc(max(12px, env(safe-area-inset-bottom)) + var(--_covered, 0px)) max(12px, env(safe-area-inset-left));
    box-sizing: border-box;
  }

  @container (width < 640px) {
    .foot {
      grid-template-areas:
        'files files'
        'cues keys';
    }
  }

  .cues {
    display: flex;
    flex-direction: column;
    grid-area: cues;
    align-items: center;
    gap: 8px;
  }

  .cues ::slotted(*),
  .warning,
  .action {
    pointer-events: auto;
  }

  .action {
    color: inherit;
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

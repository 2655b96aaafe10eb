import { css } from 'lit';

/** Styles of the area along the lower edge of the picture. */
export const footStyles = css`
  .lower {
    container-type: size;
  }

  /* On paper the controls have no use. Chromium prints an empty sheet if this container is as high as it. */
  @media print {
    .lower {
      display: none;
    }
  }

  /* A grid keeps messages, the file list and the keyboard button from overlapping. The upper
     padding leaves room for a message of one line. */
  .foot {
    display: grid;
    grid:
      'playing files' minmax(0, 1fr)
      'playing keys' minmax(0, auto) / minmax(0, 1fr) auto;
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
        'playing keys';
    }

    /* Tall messages leave room for some rows of the list. */
    .foot:has(.files:not(:empty)) {
      grid-template-rows: minmax(min(96px, 30cqh), 1fr) minmax(0, auto);
    }

    .foot:has(.files > .unfold) {
      grid-template-rows: minmax(44px, 1fr) minmax(0, auto);
    }

    /* The messages stay below the list. The 24 px are their margins. */
    .foot:has(.files:not(:empty)) .playing {
      max-height: calc(100% + 24px);
    }
  }

  /* In a low picture, the button of a folded list may cover the space of the message above. */
  @container (width < 640px) and (height < 240px) {
    .foot:has(.files > .unfold) {
      grid-template-rows: minmax(0, 1fr) minmax(0, auto);
    }

    .foot:has(.files > .unfold) .files {
      max-height: none;
    }
  }
`;

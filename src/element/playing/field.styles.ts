import { css } from 'lit';

/** Styles of the fields for text over the picture, and of the focus in their surroundings. */
export const fieldStyles = css`
  :is(.dialog input, .note textarea) {
    width: 100%;
    border: 1px solid color-mix(in srgb, currentcolor 40%, transparent);
    border-radius: 8px;
    box-sizing: border-box;
    background: rgb(0 0 0 / 0.3);
    color: inherit;
    /* Phones zoom into fields with smaller text. */
    font:
      16px/1.4 system-ui,
      sans-serif;
  }

  :is(.dialog .message, .dialog input, .note summary, .note textarea):focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 1px;
  }

  @media (forced-colors: active) {
    :is(.dialog input, .note textarea) {
      background: Field;
      color: FieldText;
    }
  }
`;

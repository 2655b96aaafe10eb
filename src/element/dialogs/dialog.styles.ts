import { css } from 'lit';

/** Styles of the dialog of a page. */
export const dialogStyles = css`
  .asking {
    display: grid;
    /* The dialog is where Chromium draws its own one, and above a phone's keyboard. */
    place-items: start center;
    container-type: size;
    pointer-events: auto;
    background: var(--_scrim);
    backdrop-filter: blur(6px);
    animation: appear 120ms ease-out both;
  }

  .dialog {
    --_text: #eceef2;
    --_background: #0f1115;

    /* Leaves room for a message of one line. */
    --_above: calc(44px + max(12px, env(safe-area-inset-top)));
    --_below: max(12px, env(safe-area-inset-bottom));

    display: flex;
    flex-direction: column;
    gap: 12px;
    width: min(420px, 100cqw - 24px);
    max-height: calc(100cqh - var(--_above) - var(--_below));
    margin: var(--_above) 12px var(--_below);
    padding: 18px;
    border-radius: 16px;
    box-sizing: border-box;
    overflow: auto;
    background: rgb(28 31 38);
    color: var(--_text);
    box-shadow:
      0 0 0 1px rgb(255 255 255 / 0.08),
      0 8px 32px rgb(0 0 0 / 0.4);
  }

  .dialog .title {
    flex: none;
    font-size: 15px;
    overflow-wrap: anywhere;
  }

  .dialog .message {
    flex: none;
    margin: 0;
    max-height: 30cqh;
    overflow: auto;
    overscroll-behavior: contain;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }

  .dialog .message:empty {
    display: none;
  }

  .dialog input {
    flex: none;
    padding: 10px 12px;
  }

  .choices {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 8px;
  }

  /* A press that was meant for the page must not answer a dialog that has just appeared. */
  .choices button {
    min-width: 88px;
    animation: settle 500ms step-end;
  }

  @keyframes settle {
    from {
      pointer-events: none;
    }
  }

  @container (height < 300px) {
    .dialog {
      --_above: 6px;
      --_below: 6px;

      gap: 6px;
      padding: 8px 12px;
    }
  }

  @media (prefers-reduced-motion: reduce) {
    .asking {
      animation: none;
    }
  }

  @media (forced-colors: active) {
    .dialog {
      border: 1px solid;
      background: Canvas;
    }
  }
`;

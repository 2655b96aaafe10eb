import { css } from 'lit';

/** Styles of the list of events. In a narrow element, the list is below the picture. */
export const listStyles = css`
  .events {
    flex: 0 1 auto;
    max-height: 260px;
    min-height: 0;
    overflow: auto;
    overscroll-behavior: contain;
    border-top: 1px solid var(--_line);
  }

  .events ol {
    margin: 0;
    padding: 6px;
    list-style: none;
  }

  .events li {
    content-visibility: auto;
    contain-intrinsic-size: auto 34px;
  }

  .events button {
    display: grid;
    /* A long name of an agent must leave room for the words of what happened. */
    grid-template-columns: 52px minmax(0, 1fr) fit-content(35%);
    gap: 0 8px;
    width: 100%;
    padding: 6px 8px;
    border: 0;
    border-radius: 8px;
    background: none;
    text-align: start;
  }

  /* A detail from left to right begins at the side where the row begins. Chromium needs the prefix. */
  .events span {
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }

  .events button:hover {
    background: var(--_line);
  }

  .events button:focus-visible {
    outline-offset: -2px;
  }

  .events [aria-current] {
    background: color-mix(in srgb, var(--_accent) 20%, transparent);
  }

  .events time,
  .events .detail,
  .events .user,
  .note {
    color: var(--_faint);
  }

  .events .what {
    grid-column: 2;
    overflow-wrap: anywhere;
  }

  .events .marker .what {
    color: var(--_marker);
  }

  .events .problem .what {
    color: var(--_problem);
  }

  .events .user {
    grid-column: 3;
    grid-row: 1;
    max-width: 20ch;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-size: 12.5px;
  }

  .events .detail {
    grid-column: 2 / -1;
    overflow: hidden;
    font-size: 12.5px;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .events .detail:empty {
    display: none;
  }

  .note {
    margin: 0;
    padding: 14px;
  }

  @container (inline-size >= 760px) {
    .listed {
      display: grid;
      grid-template-columns: minmax(0, 1fr) 300px;
    }

    /* The picture defines the height. A longer list scrolls. */
    .events {
      height: 0;
      min-height: 100%;
      max-height: none;
      border-top: 0;
      border-inline-start: 1px solid var(--_line);
    }
  }

  @media (forced-colors: active) {
    .events [aria-current] {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;

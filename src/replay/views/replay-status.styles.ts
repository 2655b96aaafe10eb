import { css } from 'lit';

/** Styles of the texts over the picture. */
export const statusStyles = css`
  .status {
    position: absolute;
    inset: 0;
    display: grid;
    place-items: center;
    padding: 16px;
    pointer-events: none;
  }

  .panel {
    display: grid;
    justify-items: center;
    gap: 6px;
    max-width: 38ch;
    text-align: center;
    text-wrap: balance;
    color: #eceef2;
    pointer-events: auto;
  }

  .panel p {
    margin: 0;
  }

  .title {
    font-size: 17px;
    font-weight: 600;
  }

  .panel button,
  .pill button {
    padding: 7px 16px;
    margin-top: 8px;
    border: 1px solid rgb(255 255 255 / 0.35);
    border-radius: 18px;
    background: rgb(255 255 255 / 0.1);
    color: inherit;
  }

  .panel button:hover,
  .pill button:hover {
    background: rgb(255 255 255 / 0.22);
  }

  .start {
    display: grid;
    place-items: center;
    width: 72px;
    height: 72px;
    border-radius: 50%;
    background: rgb(15 17 21 / 0.72);
    color: #fff;
    box-shadow: 0 0 0 1px rgb(255 255 255 / 0.2);
  }

  .start svg {
    width: 38px;
    height: 38px;
  }

  .spinner {
    width: 34px;
    height: 34px;
    border: 3px solid rgb(255 255 255 / 0.25);
    border-top-color: #fff;
    border-radius: 50%;
    animation: turn 900ms linear infinite;
  }

  @keyframes turn {
    to {
      rotate: 360deg;
    }
  }

  .corner {
    position: absolute;
    inset: 10px 10px auto;
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    pointer-events: none;
  }

  .pill {
    display: inline-flex;
    align-items: center;
    gap: 8px;
    padding: 5px 12px;
    border-radius: 16px;
    background: rgb(15 17 21 / 0.8);
    color: #eceef2;
    font-size: 13px;
    pointer-events: auto;
  }

  .pill button {
    margin: -1px -7px -1px 2px;
    padding: 2px 10px;
  }

  .dot {
    width: 9px;
    height: 9px;
    border-radius: 50%;
    background: #ff5449;
  }

  @media (prefers-reduced-motion: reduce) {
    .spinner {
      animation-duration: 6s;
    }
  }

  @media (forced-colors: active) {
    .pill,
    .start,
    .panel button {
      border: 1px solid CanvasText;
    }

    .dot {
      forced-color-adjust: none;
    }
  }
`;

import { svg, type TemplateResult } from 'lit';

/** Outlines of the icons, in a square of 24 units. */
const PATHS = {
  play: 'M8 5.2v13.6a.6.6 0 0 0 .92.5l10.6-6.8a.6.6 0 0 0 0-1L8.92 4.7A.6.6 0 0 0 8 5.2z',
  pause: 'M7 5h3.2v14H7zM13.8 5H17v14h-3.2z',
  again: 'M12 5a7 7 0 1 1-6.7 9h2.1A5 5 0 1 0 12 7a5 5 0 0 0-3.4 1.4L11 10.8H4.6V4.4l2.6 2.6A7 7 0 0 1 12 5z',
  back: 'M11.4 6.4v11.2L3.6 12zM20.4 6.4v11.2L12.6 12z',
  forward: 'M12.6 6.4v11.2l7.8-5.6zM3.6 6.4v11.2l7.8-5.6z',
  sound:
    'M4 9.5v5h3.4L12 18.6V5.4L7.4 9.5zM14 8.6a4.6 4.6 0 0 1 0 6.8v-2.2a2.8 2.8 0 0 0 0-2.4zM14 5.3a7.6 7.6 0 0 1 0 13.4v-1.9a6 6 0 0 0 0-9.6z',
  silent:
    'M4 9.5v5h3.4L12 18.6V5.4L7.4 9.5zM20.6 10.2l-1.2-1.2-1.8 1.8-1.8-1.8-1.2 1.2 1.8 1.8-1.8 1.8 1.2 1.2 1.8-1.8 1.8 1.8 1.2-1.2-1.8-1.8z',
  captions:
    'M4 5h16a1.5 1.5 0 0 1 1.5 1.5v11A1.5 1.5 0 0 1 20 19H4a1.5 1.5 0 0 1-1.5-1.5v-11A1.5 1.5 0 0 1 4 5zm.3 1.8v10.4h15.4V6.8zM6 12.6h7v1.8H6zm8.4 0H18v1.8h-3.6zM6 9.4h3.6v1.8H6zm5 0h7v1.8h-7z',
  events: 'M4 6h2v2H4zm4 0h12v2H8zm-4 5h2v2H4zm4 0h12v2H8zm-4 5h2v2H4zm4 0h12v2H8z',
  skip: 'M3.6 6.4v11.2l6.4-4.6v4.6l7.8-5.6L10 6.4V11zM18.4 6h2v12h-2z',
  small:
    'M4 5h16a1.5 1.5 0 0 1 1.5 1.5v11A1.5 1.5 0 0 1 20 19H4a1.5 1.5 0 0 1-1.5-1.5v-11A1.5 1.5 0 0 1 4 5zm.3 1.8v10.4h15.4V6.8zM12 12h6.4v4H12z',
  full: 'M4 4h6v2H6v4H4zm10 0h6v6h-2V6h-4zM4 14h2v4h4v2H4zm14 0h2v6h-6v-2h4z',
  window: 'M8 4h2v6H4V8h4zm6 0h2v4h4v2h-6zM4 14h6v6H8v-4H4zm10 0h6v2h-4v4h-2z',
} as const;

/** Name of an icon. */
export type IconName = keyof typeof PATHS;

/** Returns an icon without an accessible name, because its button has the name. */
export function icon(name: IconName): TemplateResult {
  return svg`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}

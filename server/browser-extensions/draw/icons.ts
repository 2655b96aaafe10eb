/** Outlines on a grid of 24, drawn with a stroke. */
const PATHS = {
  pointer: 'M5 3l14 8-6 2-3 6z',
  pen: 'M4 20l1-5L16 4l4 4L9 19z M13 7l4 4',
  highlighter: 'M9 11l-4 4v3l-2 2h6l1-1 4-4 M9 11l8-8 4 4-8 8z',
  eraser: 'M8 20h12 M4 14l9-9a2 2 0 013 0l4 4a2 2 0 010 3l-8 8H9l-5-4a1.5 1.5 0 010-2z M9 9l7 7',
  undo: 'M9 14L4 9l5-5 M4 9h10a6 6 0 010 12h-3',
  clear: 'M4 7h16 M9 7V4h6v3 M6 7l1 13h10l1-13 M10 11v6 M14 11v6',
  grip: 'M9 6v0 M15 6v0 M9 12v0 M15 12v0 M9 18v0 M15 18v0',
} as const;

/** Name of an icon. */
export type Icon = keyof typeof PATHS;

const SVG = 'http://www.w3.org/2000/svg';

/** Creates an icon node by node, because pages may forbid markup from strings. */
export function iconOf(name: Icon): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

import type { Page } from '@playwright/test';
import type { Colour } from './viewer.js';

/** The corners of one picture, read at the moment in which the viewer painted it. */
export interface Painting {
  width: number;
  height: number;
  /** Near the corners: top left, top right, bottom left, bottom right. */
  corners: Colour[];
  /** The time of the painting by the page's clock, in milliseconds. */
  at: number;
}

/** The distance from the edges at which the corners' colours are read. */
const INSET_PX = 12;

/** A string, because a compiled function may call helpers that the page does not have. */
const RECORDER = `{
  const paintings = globalThis.paintings = [];
  const look = (context) => {
    const { width, height } = context.canvas;
    const [right, bottom] = [width - ${INSET_PX}, height - ${INSET_PX}];
    const places = [[${INSET_PX}, ${INSET_PX}], [right, ${INSET_PX}], [${INSET_PX}, bottom], [right, bottom]];
    const corners = places.map(([x, y]) => [...context.getImageData(x, y, 1, 1).data.slice(0, 3)]);
    paintings.push({ width, height, corners, at: performance.now() });
  };
  const { prototype } = CanvasRenderingContext2D;
  for (const name of ['drawImage', 'putImageData']) {
    const paint = prototype[name];
    prototype[name] = function (...args) {
      paint.apply(this, args);
      look(this);
    };
  }
}`;

/** Records every picture at the moment in which it is painted. Call it before the viewer's page is opened. */
export async function recordPaintings(page: Page): Promise<void> {
  await page.addInitScript({ content: RECORDER });
}

/** The pictures since the last call. */
export function takePaintings(page: Page): Promise<Painting[]> {
  return page.evaluate(() => (globalThis as unknown as { paintings: Painting[] }).paintings.splice(0));
}

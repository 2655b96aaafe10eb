import type { Page } from '@playwright/test';
import type { Colour } from './viewer.js';

/** A picture as it came onto the canvas. */
export interface Painting {
  width: number;
  height: number;
  /** Near the corners: top left, top right, bottom left, bottom right. */
  corners: Colour[];
  /** Milliseconds of the page's clock. */
  at: number;
}

/** How far from the edges the corners are looked at, in pixels. */
const INSET_PX = 12;

/** A text, since what is compiled may call helpers that a page does not have. */
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

/** To be called before the viewer's page is opened: every picture is looked at in the moment in which it is painted. */
export async function recordPaintings(page: Page): Promise<void> {
  await page.addInitScript({ content: RECORDER });
}

/** What was painted since the last time. */
export function takePaintings(page: Page): Promise<Painting[]> {
  return page.evaluate(() => (globalThis as unknown as { paintings: Painting[] }).paintings.splice(0));
}

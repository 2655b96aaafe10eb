import { PNG } from 'pngjs';
import { psnr } from '../../e2e/support/psnr.js';
import { until } from '../../e2e/support/until.js';
import type { Guest } from './guest.js';

/** Red, green, blue, 0 to 255. */
type Colour = readonly number[];

/** The chart of test/e2e/pages/chart.html: eight by eight tiles at the top left. */
const TILE = { width: 40, height: 30 };
const LEVELS = [0, 85, 170, 255];
const COLOURS: Colour[] = LEVELS.flatMap((r) => LEVELS.flatMap((g) => LEVELS.map((b) => [r, g, b])));
/** Where the chart page has its text, in pixels. */
const TEXT = { x: 330, y: 0, width: 300, height: 240 };

/**
 * Defines `canvas`: the picture of the page's viewer, which is the element, embed page, demo or public
 * client.
 */
const FIND_CANVAS = `const canvas = [...document.querySelectorAll('cloud-browser, #one')]
  .map((host) => host.shadowRoot?.querySelector('canvas'))
  .find((each) => each && each.width !== 300);`;

/** The picture on a viewer's canvas; undefined until there is one. */
export async function pictureOf(guest: Guest): Promise<PNG | undefined> {
  const url = await guest.run(`${FIND_CANVAS} return canvas ? canvas.toDataURL('image/png') : '';`);
  if (typeof url !== 'string' || url === '') return undefined;
  return PNG.sync.read(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
}

/** Returns true if a picture is large enough for the contents of the chart page. */
function holdsChart({ width, height }: PNG): boolean {
  return width >= TEXT.x + TEXT.width && height >= TEXT.y + TEXT.height;
}

/** The largest error of a part of a colour (0 to 255) over the middles of all tiles of the chart. */
export function chartError(picture: PNG, first = 0): number {
  const errors = COLOURS.map((_, index) => {
    const x = (index % 8) * TILE.width + TILE.width / 2;
    const y = Math.floor(index / 8) * TILE.height + TILE.height / 2;
    const offset = (y * picture.width + x) * 4;
    const expected = COLOURS[(index + first) % COLOURS.length] ?? [];
    return Math.max(...expected.map((part, each) => Math.abs(part - (picture.data[offset + each] ?? 0))));
  });
  return Math.max(...errors);
}

/** The smallest {@link chartError} when the colours may have moved by any number of tiles. */
export function movingChartError(picture: PNG): number {
  return Math.min(...COLOURS.map((_, first) => chartError(picture, first)));
}

/** The part of a picture of the chart page that holds its text. */
export function textOf(picture: PNG): PNG {
  const { x, y, width, height } = TEXT;
  const part = new PNG({ width, height });
  PNG.bitblt(picture, part, x, y, width, height, 0, 0);
  return part;
}

/** The place of the window where a viewer shows a remote pixel. */
export async function placeOf(guest: Guest, x: number, y: number): Promise<readonly [number, number]> {
  const place = await until('the viewer has a picture', () =>
    guest.run(`${FIND_CANVAS}
      if (!canvas) return null;
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const scale = Math.min(width / canvas.width, height / canvas.height);
      return [
        Math.round(left + (width - canvas.width * scale) / 2 + ${x} * scale),
        Math.round(top + (height - canvas.height * scale) / 2 + ${y} * scale),
      ];`),
  );
  return place as readonly [number, number];
}

/**
 * The place of the window where a transformed element shows a remote pixel. A mark with the same size,
 * position and transform as the element finds it.
 */
export async function transformedPlaceOf(
  guest: Guest,
  x: number,
  y: number,
): Promise<readonly [number, number]> {
  const place = await guest.run(`${FIND_CANVAS}
    const element = document.querySelector('cloud-browser');
    const { offsetLeft, offsetTop, offsetWidth: width, offsetHeight: height, style } = element;
    const box = document.body.appendChild(document.createElement('div'));
    const size = { left: offsetLeft + 'px', top: offsetTop + 'px', width: width + 'px', height: height + 'px' };
    Object.assign(box.style, { position: 'absolute', transform: style.transform, ...size });
    const scale = Math.min(width / canvas.width, height / canvas.height);
    const mark = box.appendChild(document.createElement('div'));
    Object.assign(mark.style, {
      position: 'absolute',
      left: (width - canvas.width * scale) / 2 + ${x} * scale + 'px',
      top: (height - canvas.height * scale) / 2 + ${y} * scale + 'px',
    });
    const { left, top } = mark.getBoundingClientRect();
    box.remove();
    return [Math.round(left), Math.round(top)];`);
  return place as readonly [number, number];
}

/** The state that the page's viewer reports, for the messages of failed tests. */
async function stateOf(guest: Guest): Promise<string> {
  const state = await guest.run(`const { viewer } = document.querySelector('cloud-browser') ?? {};
    if (!viewer) return document.body.innerText;
    const { stream, state } = viewer.client;
    const asked = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 10));
    const late = performance.now() - asked - 10;
    return { state, stream, page: document.visibilityState, late, ...viewer.stats() };`);
  return JSON.stringify(state);
}

/** The quality that a picture of the chart page must have at rest. */
export interface Expected {
  /** Allowed error of a part of a colour, of 255. */
  tolerance: number;
  /** Least similarity of the text to `text`, in dB. */
  decibels: number;
  /** The text as a local browser shows it. */
  text: PNG;
}

/** Resolves to the measured quality when the whole chart and the text are good enough. */
export async function comesOut(guest: Guest, { tolerance, decibels, text }: Expected): Promise<string> {
  let seen = 'no picture';
  await until('the chart and the text are right', async () => {
    const picture = await pictureOf(guest);
    if (!picture) return false;
    seen = `${picture.width}x${picture.height}`;
    if (!holdsChart(picture)) return false;
    const [error, ratio] = [chartError(picture), psnr(textOf(picture), text)];
    seen = `${error} of 255, ${ratio.toFixed(1)} dB`;
    return error <= tolerance && ratio >= decibels;
  }).catch(async (error: unknown) => {
    throw new Error(`It came out as: ${seen}; ${await stateOf(guest)}.`, { cause: error });
  });
  return seen;
}

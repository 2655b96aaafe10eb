import type { Page } from '@playwright/test';
import { PNG } from 'pngjs';
import type { SessionRow } from '../../../src/api/index.js';

/** Sessions of a list page. */
const PAGE_SIZE = 100;
const TAGS = ['checkout-eu', 'order-1042', null, 'support: a very long tag that no tile can show as a whole'];

/** 230 sessions as the service lists them, in every state. */
export const PRETENDED_SESSIONS: readonly SessionRow[] = Array.from({ length: 230 }, (_, nth) => ({
  id: `${String(nth).padStart(8, '0')}-0000-4000-8000-${String(nth).padStart(12, '0')}`,
  creation_date: new Date(Date.UTC(2030, 0, 20) + nth * 60_000).toISOString(),
  state: nth === 5 ? 'starting' : nth === 6 ? 'ending' : 'running',
  viewers: [2, 0, 1, 12][nth % 4] ?? 0,
  standby: nth === 7,
  tag: TAGS[nth % 4] ?? null,
  tenant_id: nth % 3 === 0 ? 'acme' : null,
}));

/** Requests of a page for pretended sessions. */
export interface PretendedSessions {
  /** Number of each session whose picture was requested, in order. */
  readonly pictured: number[];
  /** Largest number of pictures that were requested at a time. */
  readonly atOnce: () => number;
  /** Sessions that the list contains. Tests may remove some. */
  rows: readonly SessionRow[];
}

/**
 * Answers the requests of a page for the list and for pictures. Session 3 is private, and 4 cannot be
 * reached.
 */
export async function pretendSessions(page: Page): Promise<PretendedSessions> {
  let pending = 0;
  let most = 0;
  const answers: PretendedSessions = { pictured: [], atOnce: () => most, rows: PRETENDED_SESSIONS };
  await page.route(/\/v0\/vm(\?.*)?$/, (route) => {
    const after = new URL(route.request().url()).searchParams.get('after_id');
    const from = answers.rows.findIndex(({ id }) => id === after) + 1;
    const results = answers.rows.slice(from, from + PAGE_SIZE);
    return route.fulfill({ json: { results, next: results.at(-1)?.id ?? null } });
  });
  await page.route(/\/v0\/vm\/[\da-f-]{36}$/, (route) => {
    const nth = Number(route.request().url().slice(-12));
    return route.fulfill({ json: { embed_url: `https://public.example/session-${nth}?token=secret` } });
  });
  await page.route('**/screenshot?*', async (route) => {
    const nth = Number(/session-(\d+)/.exec(route.request().url())?.[1]);
    answers.pictured.push(nth);
    most = Math.max(most, ++pending);
    const error = { 3: [403, 'err_forbidden'], 4: [503, 'err_node_unreachable'] }[nth];
    if (error) {
      const [status, code] = error as [number, string];
      await route.fulfill({ status, json: { code, message: 'A sentence.' } });
    } else await route.fulfill({ contentType: 'image/png', body: pictureOf(nth) });
    pending -= 1;
  });
  return answers;
}

/** Returns a picture that resembles a page: a bar above, text, and a coloured part. Some are upright. */
function pictureOf(nth: number): Buffer {
  const [width, height] = nth % 5 === 4 ? [125, 270] : [480, 270];
  const png = new PNG({ width, height });
  const hue = [0, 1, 2].map((part) => 60 + ((nth * 67 + part * 91) % 150));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const inText = x > 20 && x < width * 0.55 && y > 60 && y % 16 < 5 && (x + y * 7) % 190 > 24;
      const inPart = x > width * 0.62 && x < width - 20 && y > 60 && y < height - 40;
      const colour = y < 36 || inPart ? hue : inText ? [150, 155, 165] : [250, 250, 252];
      png.data.set([...colour, 255], (y * width + x) * 4);
    }
  return PNG.sync.write(png);
}

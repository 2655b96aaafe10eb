import { PNG } from 'pngjs';
import type { CDPSession, Frame, Page } from '@playwright/test';
import { machineSlowness } from '../../../scripts/lib/machine-speed.mjs';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { until } from './until.js';

/** Red, green, blue, 0 to 255. */
export type Colour = readonly [number, number, number];

/** Video is not exact: two colours are the same if no part of them differs by more than this. */
const TOLERANCE = 12;
/** A picture is at rest when no new frame has come for this long. */
const REST_MS = 1_000;

/**
 * Resolves when a document shows a session's first picture and accepts input. Chromium drops input before a
 * document is on the screen, which may be later than the first paint of its script. The performance entry
 * reports that moment. The viewer loads its input code after the first picture.
 */
export async function playing(frame: Frame): Promise<void> {
  await until('the viewer shows a picture', () =>
    frame.evaluate(async () => {
      const browser = document.querySelector<CloudBrowserElement>('cloud-browser');
      const onScreen = performance.getEntriesByType('paint').length > 0;
      if (!onScreen || browser?.state !== 'playing' || !browser.stats?.framesPainted) return false;
      return browser.connect().then(
        () => true,
        () => false,
      );
    }),
  );
}

/** A page that shows a session: the embed page, or any page with one `<cloud-browser>`. */
export class Viewer {
  #cdp: Promise<CDPSession> | undefined;

  constructor(readonly page: Page) {}

  /** Resolves when the viewer is connected and the first picture is on the screen. */
  async playing(): Promise<void> {
    await playing(this.page.mainFrame());
  }

  async state(): Promise<string | undefined> {
    return this.page.evaluate(() => document.querySelector<CloudBrowserElement>('cloud-browser')?.state);
  }

  /** Records each state of the connection from now on; the returned function reads the record. */
  async recordStates(): Promise<() => Promise<string[]>> {
    const steps = await this.page.evaluateHandle(() => {
      const seen: string[] = [];
      const browser = document.querySelector<CloudBrowserElement>('cloud-browser');
      browser?.addEventListener('statechange', () => seen.push(browser.state));
      return seen;
    });
    return () => steps.jsonValue();
  }

  async userId(): Promise<string | undefined> {
    return this.page.evaluate(() => document.querySelector<CloudBrowserElement>('cloud-browser')?.userId);
  }

  async framesPainted(): Promise<number> {
    return this.page.evaluate(
      () => document.querySelector<CloudBrowserElement>('cloud-browser')?.stats?.framesPainted ?? 0,
    );
  }

  /** Size of the canvas in its own pixels. */
  async size(): Promise<{ width: number; height: number }> {
    const { width, height } = await this.picture();
    return { width, height };
  }

  /** The place of a point of the remote screen on the page. */
  async at(x: number, y: number): Promise<{ x: number; y: number }> {
    return this.page.evaluate(
      ([left, top]) => {
        const viewer = document.querySelector<CloudBrowserElement>('cloud-browser')?.viewer;
        const { width = 1, height = 1 } = viewer?.stats() ?? {};
        return viewer?.toClient(left / width, top / height) ?? { x: 0, y: 0 };
      },
      [x, y] as const,
    );
  }

  /** The picture on the canvas. */
  async picture(): Promise<PNG> {
    const url = await this.page.evaluate(() => {
      const canvas = document.querySelector('cloud-browser')?.shadowRoot?.querySelector('canvas');
      return canvas?.toDataURL('image/png') ?? '';
    });
    return PNG.sync.read(Buffer.from(url.slice(url.indexOf(',') + 1), 'base64'));
  }

  async colour(x: number, y: number): Promise<Colour> {
    return this.page.evaluate(
      ([left, top]) => {
        const canvas = document.querySelector('cloud-browser')?.shadowRoot?.querySelector('canvas');
        const [r = 0, g = 0, b = 0] = canvas?.getContext('2d')?.getImageData(left, top, 1, 1).data ?? [];
        return [r, g, b] as const;
      },
      [x, y] as const,
    );
  }

  /** Resolves when a pixel has this colour. */
  async shows(colour: Colour, x: number, y: number, limit?: number): Promise<void> {
    let seen: Colour = [-1, -1, -1];
    await until(
      'the pixel has its colour',
      async () => {
        seen = await this.colour(x, y);
        return colour.every((value, index) => Math.abs(value - (seen[index] ?? -1)) <= TOLERANCE);
      },
      limit,
    ).catch(() => {
      throw new Error(`The pixel ${x}, ${y} is ${seen.join(' ')}, not ${colour.join(' ')}.`);
    });
  }

  /** Resolves when a pixel no longer has this colour. */
  async leaves(colour: Colour, x: number, y: number): Promise<void> {
    await until('the pixel changes', async () => {
      const seen = await this.colour(x, y);
      return colour.some((value, index) => Math.abs(value - (seen[index] ?? -1)) > TOLERANCE);
    });
  }

  /** Resolves when no new frame has come for a second: then the picture is as good as it gets. */
  async atRest(): Promise<void> {
    let painted = await this.framesPainted();
    let since = performance.now();
    await until('the picture comes to rest', async () => {
      const now = await this.framesPainted();
      if (now !== painted) [painted, since] = [now, performance.now()];
      return performance.now() - since > REST_MS * machineSlowness();
    });
  }

  /** The pointer's shape over the picture, as CSS has it. */
  async cursor(): Promise<string> {
    return this.page.evaluate(() => {
      const surface = document
        .querySelector('cloud-browser')
        ?.shadowRoot?.querySelector<HTMLElement>('.surface');
      return surface?.style.cursor ?? '';
    });
  }

  /** The text of the overlay over the picture, such as "connecting" or the reason of an end. */
  async status(): Promise<string> {
    return this.page.evaluate(() => {
      const status = document.querySelector('cloud-browser')?.shadowRoot?.querySelector('[part~=status]');
      return status?.textContent.replace(/\s+/g, ' ').trim() ?? '';
    });
  }

  /** The viewer's own browser connection, for input that Playwright has no call for. */
  async cdp(): Promise<CDPSession> {
    this.#cdp ??= this.page.context().newCDPSession(this.page);
    return this.#cdp;
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

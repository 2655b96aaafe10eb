import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test';
import { LAUNCH_OPTIONS } from '../../e2e/support/launch-options.js';
import { BITS, FIELD, ROWS } from './numbered-pictures.js';

/** Milliseconds until a video is open, and until a seek has shown its picture. */
const LIMIT_MS = 20_000;

/** A picture that a video shows. */
export interface ShownPicture {
  /** Numbers in the picture. */
  group: number;
  nth: number;
  /** Milliseconds from the seek to the picture. */
  milliseconds: number;
}

/** Plays a video in a Chromium. */
export class SeekPlayer {
  /** Requests for parts of the video, and bytes of their answers. */
  requests = 0;
  bytes = 0;

  private constructor(
    private readonly browser: Browser,
    private readonly page: Page,
  ) {}

  static async start(): Promise<SeekPlayer> {
    const browser = await chromium.launch(LAUNCH_OPTIONS);
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(LIMIT_MS);
      const player = new SeekPlayer(browser, page);
      await player.#count(await page.context().newCDPSession(page));
      return player;
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** Opens a video. Resolves to the milliseconds until its first picture, and to its duration. */
  async open(address: string): Promise<{ milliseconds: number; seconds: number }> {
    await this.page.setContent('<video muted crossorigin="anonymous" preload="auto"></video>');
    return this.page.locator('video').evaluate(
      (video: HTMLVideoElement, { src, limit }) =>
        new Promise<{ milliseconds: number; seconds: number }>((resolve, reject) => {
          const start = performance.now();
          setTimeout(() => reject(new Error('The video does not open.')), limit);
          video.onerror = () => reject(new Error(`The video failed: ${video.error?.message ?? ''}`));
          video.onloadeddata = () =>
            resolve({ milliseconds: performance.now() - start, seconds: video.duration });
          video.src = src;
        }),
      { src: address, limit: LIMIT_MS },
    );
  }

  /** Seeks. Resolves to the first picture that the video shows then. */
  async seek(seconds: number): Promise<ShownPicture> {
    return this.page.locator('video').evaluate(
      async (video: HTMLVideoElement, { seconds, bits, field, rows, limit }) => {
        const start = performance.now();
        const shown = new Promise<number>((resolve, reject) => {
          setTimeout(() => reject(new Error(`A seek to ${seconds} s shows nothing.`)), limit);
          video.requestVideoFrameCallback(() => resolve(performance.now() - start));
        });
        video.currentTime = seconds;
        const milliseconds = await shown;
        const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
        const context = canvas.getContext('2d');
        if (!context) throw new Error('There is no canvas.');
        context.drawImage(video, 0, 0);
        const [group = 0, nth = 0] = [rows.group, rows.nth].map((top) =>
          Array.from({ length: bits }, (_, bit) => {
            const [red = 0] = context.getImageData((bit + 0.5) * field, top + field / 2, 1, 1).data;
            return red > 127 ? 1 << bit : 0;
          }).reduce((sum, value) => sum + value, 0),
        );
        return { group, nth, milliseconds };
      },
      { seconds, bits: BITS, field: FIELD, rows: ROWS, limit: LIMIT_MS },
    );
  }

  async close(): Promise<void> {
    await this.browser.close();
  }

  async #count(session: CDPSession): Promise<void> {
    session.on('Network.requestWillBeSent', ({ request }) => {
      if (request.url.includes('/video.mp4')) this.requests += 1;
    });
    session.on('Network.dataReceived', ({ dataLength }) => (this.bytes += dataLength));
    await session.send('Network.enable');
  }
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { Display } from '../../bench/display.js';
import type { HostedPage } from '../../e2e/support/hosted-page.js';
import { PageServer } from '../../e2e/support/page-server.js';
import { Service, type Session } from '../../e2e/support/service.js';
import { CustomerSite } from './customer-site.js';
import { PuppeteerGuest } from './guest.js';
import { textOf } from './shown.js';
import { SoundServer } from './sound-server.js';

/** Odd sides, so that the encoded picture is larger than the visible one. */
const SIZE = { width: 641, height: 481 };

/** A session with the chart page open, and that page. */
export interface ChartSession {
  session: Session;
  remote: HostedPage;
}

/**
 * Parts that all tested browsers share: a service with a session for each quality, pages, a display and a
 * sound server.
 */
export class Stage {
  readonly #steps: (() => unknown)[] = [];
  /** The environment of the browsers. */
  env: Record<string, string> = {};
  service!: Service;
  pages!: PageServer;
  site!: CustomerSite;
  sharp!: ChartSession;
  smooth!: ChartSession;
  /** The chart page's text in a local browser. */
  text!: PNG;

  /** Registers a clean-up for the end of the stage; the last registered runs first. */
  readonly end = (step: () => unknown): void => void this.#steps.push(step);

  async open(): Promise<void> {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-crossbrowser-'));
    this.end(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
    const display = await Display.start(directory);
    this.end(() => display.stop());
    const sound = await SoundServer.start(directory);
    this.end(() => sound.stop());
    this.env = {
      PATH: '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      HOME: directory,
      DISPLAY: `:${display.number}`,
      PULSE_SERVER: sound.address,
    };
    this.site = await CustomerSite.start();
    this.end(() => this.site.stop());
    this.pages = await PageServer.start(this.end);
    this.service = await Service.start({}, this.end);
    [this.sharp, this.smooth] = await Promise.all([this.#session('sharp'), this.#session('smooth')]);
    this.text = await this.#textAtHome();
  }

  async close(): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) await step();
  }

  async #session(mode: string): Promise<ChartSession> {
    const remote = this.pages.page('chart');
    const session = await this.service.create({ start_url: remote.url, ...SIZE, quality: { mode } });
    await remote.fills(SIZE);
    return { session, remote };
  }

  async #textAtHome(): Promise<PNG> {
    const guest = await PuppeteerGuest.chromium(this.env);
    try {
      await guest.goto(this.sharp.remote.url.replace(/\?.*/, ''));
      return textOf(PNG.sync.read(await guest.screenshot()));
    } finally {
      await guest.close();
    }
  }
}

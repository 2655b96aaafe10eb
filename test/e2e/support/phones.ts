import type { Browser } from '@playwright/test';
import { Fingers } from './fingers.js';
import type { HostedPage } from './hosted-page.js';
import type { PageServer } from './page-server.js';
import type { Service, Session } from './service.js';
import type { Viewer } from './viewer.js';
import { openViewer } from './viewers.js';

/** A phone's screen in CSS pixels. */
export const PHONE = { width: 390, height: 844 };
export const PHONE_OPTIONS = { viewport: PHONE, hasTouch: true, isMobile: true };

/** A hosted page on a phone, and the fingers on its glass. */
export interface Phone {
  session: Session;
  remote: HostedPage;
  viewer: Viewer;
  fingers: Fingers;
  /** Returns the phone to the pool, for the next test with the same parameters. */
  close: () => Promise<void>;
}

/** A service, pages for its sessions, and a browser that plays phones. */
export class Phones {
  /** Phones that tests have returned, by the parameters of their sessions. */
  readonly #drawer = new Map<string, Omit<Phone, 'remote' | 'close'>>();

  constructor(
    readonly service: Service,
    readonly pages: PageServer,
    readonly browser: Browser,
  ) {}

  /** Opens a page of test/e2e/pages on a phone. A returned phone with the same parameters is used again. */
  async open(name: string, parameters: Record<string, unknown> = {}): Promise<Phone> {
    const remote = this.pages.page(name);
    const key = JSON.stringify(parameters);
    const used = this.#drawer.get(key);
    this.#drawer.delete(key);
    if (used) await this.service.show(used.session, remote.url);
    const phone = used ?? (await this.#unpack(remote.url, parameters));
    await remote.loaded();
    const close = () => {
      this.#drawer.set(key, phone);
      return Promise.resolve();
    };
    return { ...phone, remote, close };
  }

  async #unpack(url: string, parameters: Record<string, unknown>): Promise<Omit<Phone, 'remote' | 'close'>> {
    const session = await this.service.create({ start_url: url, ...PHONE, ...parameters });
    const viewer = await openViewer(this.browser, session, PHONE_OPTIONS);
    return { session, viewer, fingers: new Fingers(await viewer.cdp()) };
  }
}

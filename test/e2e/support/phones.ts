import type { Browser } from 'playwright';
import { Fingers } from './fingers.js';
import type { HostedPage } from './hosted-page.js';
import { PageServer } from './page-server.js';
import { Service, type Session } from './service.js';
import type { Viewer } from './viewer.js';
import { launchBrowser, openViewer } from './viewers.js';

/** A phone's screen in CSS pixels. */
export const PHONE = { width: 390, height: 844 };
export const PHONE_OPTIONS = { viewport: PHONE, hasTouch: true, isMobile: true };

/** A hosted page on a phone, and the fingers on its glass. */
export interface Phone {
  session: Session;
  remote: HostedPage;
  viewer: Viewer;
  fingers: Fingers;
  /** Puts the phone away and ends the session. */
  close: () => Promise<void>;
}

/** A service, pages for its sessions, and a browser that plays phones. */
export class Phones {
  private constructor(
    readonly service: Service,
    readonly pages: PageServer,
    readonly browser: Browser,
  ) {}

  static async start(): Promise<Phones> {
    const parts = [Service.start(), PageServer.start(), launchBrowser()] as const;
    const [service, pages, { browser }] = await Promise.all(parts);
    return new Phones(service, pages, browser);
  }

  /** Opens a page of test/e2e/pages in a session that fills a phone. */
  async open(name: string, wishes: Record<string, unknown> = {}): Promise<Phone> {
    const remote = this.pages.page(name);
    const session = await this.service.create({ start_url: remote.url, ...PHONE, ...wishes });
    const viewer = await openViewer(this.browser, session, PHONE_OPTIONS);
    await remote.loaded();
    const close = async () => {
      await viewer.close();
      await this.service.end(session);
    };
    return { session, remote, viewer, fingers: new Fingers(await viewer.cdp()), close };
  }
}

import type { Session } from '../../e2e/support/service.js';
import { PuppeteerGuest, type Guest } from './guest.js';
import type { Stage } from './stage.js';
import { WebKitGuest } from './webkit.js';

/** A browser of viewers, and its allowed error of each part of a colour (0 to 255). */
export interface BrowserUnderTest {
  open: (env: Record<string, string>) => Promise<Guest>;
  tolerance: number;
}

export const BROWSERS: Record<string, BrowserUnderTest> = {
  Chromium: { open: (env) => PuppeteerGuest.chromium(env), tolerance: 3 },
  'Firefox ESR': { open: (env) => PuppeteerGuest.firefox(env), tolerance: 4 },
  WebKitGTK: { open: (env) => WebKitGuest.launch(env), tolerance: 4 },
};

/** Starts the public client on the page that is open. */
export async function startPublicClient(guest: Guest, { embed_url }: Session): Promise<unknown> {
  return guest.run(`while (!window.start) await new Promise((resolve) => setTimeout(resolve, 10));
    return window.start('one', ${JSON.stringify(embed_url)}, { timeout: 20000 });`);
}

/** Each way to show a session on a page. */
export const WAYS: Record<string, (guest: Guest, session: Session, stage: Stage) => Promise<unknown>> = {
  'the embed page': (guest, { embed_url }) => guest.goto(embed_url),
  'the element': (guest, { embed_url }, { site }) => guest.goto(site.elementPage(embed_url)),
  'the public client': async (guest, session, { site }) => {
    await guest.goto(site.embedderPage);
    await startPublicClient(guest, session);
  },
};

import type { Browser } from 'playwright';
import { before, describe, it } from 'node:test';
import { cleanUpAtEnd } from './support/cleanup.js';
import { PageServer } from './support/page-server.js';
import type { Service } from './support/service.js';
import { sharedBrowser, sharedService } from './support/shared.js';
import { openViewer } from './support/viewers.js';

cleanUpAtEnd();
let service: Service;
let pages: PageServer;
let browser: Browser;
before(async () => {
  [service, pages, browser] = await Promise.all([sharedService(), PageServer.start(), sharedBrowser()]);
});

for (const [where, parameters] of [
  ['a tab', { kiosk: false }],
  ['a kiosk', { kiosk: true }],
  ['a phone', { kiosk: true, user_agent: 'chrome_android' }],
] as const) {
  describe(`a popup of ${where}`, () => {
    for (const [way, byScript] of [
      ['window.open', true],
      ['a link with rel=opener', false],
    ] as const) {
      it(`opened by ${way} loads, talks to its opener and closes, and the opener goes on`, async () => {
        const [opener, popup] = [pages.page('opener'), pages.page('popup')];
        const session = await service.create({ start_url: opener.url, ...parameters });
        const viewer = await openViewer(browser, session, { viewport: { width: 800, height: 600 } });
        await opener.loaded();
        await opener.run(`byScript = ${byScript}; link.href = ${JSON.stringify(popup.url)}`);
        await viewer.page.mouse.click(400, 400);
        await opener.event('popup is here');
        await opener.event('popup is gone');
        const ticks = Number(opener.state['ticks']);
        await opener.until('its timer goes on', (state) => Number(state['ticks']) > ticks + 2);
        await viewer.close();
        await service.end(session);
      });
    }
  });
}

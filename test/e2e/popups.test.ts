import { cleanUpAtEnd, test } from './support/test.js';

cleanUpAtEnd();

for (const [where, parameters] of [
  ['a tab', { kiosk: false }],
  ['a kiosk', { kiosk: true }],
  ['a phone', { kiosk: true, user_agent: 'chrome_android' }],
] as const) {
  test.describe(`a popup of ${where}`, () => {
    for (const [way, byScript] of [
      ['window.open', true],
      ['a link with rel=opener', false],
    ] as const) {
      test(`opened by ${way} loads, talks to its opener and closes, and the opener goes on`, async ({
        service,
        pages,
        watch,
      }) => {
        const [opener, popup] = [pages.page('opener'), pages.page('popup')];
        const session = await service.create({ start_url: opener.url, ...parameters });
        const viewer = await watch(session, { viewport: { width: 800, height: 600 } });
        await opener.loaded();
        await opener.run(`byScript = ${byScript}; link.href = ${JSON.stringify(popup.url)}`);
        await viewer.page.mouse.click(400, 400);
        await opener.event('popup is here');
        await opener.event('popup is gone');
        const ticks = Number(opener.state['ticks']);
        await opener.until('its timer goes on', (state) => Number(state['ticks']) > ticks + 2);
        await service.end(session);
      });
    }
  });
}

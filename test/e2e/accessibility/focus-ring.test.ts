import { cleanUpAtEnd, test } from '../support/test.js';

cleanUpAtEnd();

test('the hint for leaving the frame appears on Tab, and its keys lead out', async ({ show, browser }) => {
  const { session } = await show('text', { kiosk: true, width: 640, height: 480 });
  const page = await browser.newPage();
  await page.setContent(
    `<button>Before</button><iframe width="640" height="480" src="${session.embed_url}"></iframe><button>Behind</button>`,
  );
  const hint = page.frameLocator('iframe').locator('[part=way-out]');
  const ring = page.frameLocator('iframe').locator('.focus-ring.shown');
  await page.frameLocator('iframe').locator('canvas').waitFor();
  for (let round = 0; round < 2; round++) {
    await page.getByRole('button', { name: 'Before' }).focus();
    await hint.waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    await hint.waitFor();
    await ring.waitFor({ state: 'attached' });
  }
  for (const key of ['Control', 'Alt', 'Shift']) await page.keyboard.down(key);
  for (const key of ['Control', 'Alt', 'Shift']) await page.keyboard.up(key);
  await hint.waitFor({ state: 'detached' });
  await page.keyboard.press('Tab');
  await page.locator('button:focus', { hasText: 'Behind' }).waitFor();
  await page.close();
});

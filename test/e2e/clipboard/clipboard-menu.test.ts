import assert from 'node:assert/strict';
import { DisplayWindows } from '../support/display-windows.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
/** A place in the text field of `clipboard.html`. */
const AREA = [100, 50] as const;
/** Minimum height of the menu in pixels. All other bubbles are lower. */
const MENU_HEIGHT = 200;
/** A menu that is open for this long waits for a choice. */
const CHOSEN_MS = 2_000;

test('the browser’s own menu pastes the current local clipboard each time', async ({
  show,
  service,
  browser,
}) => {
  const { remote: page, session } = await show('clipboard', { ...SIZE, kiosk: false });
  const { page: viewer } = await openViewer(browser, session, { viewport: SIZE });
  await viewer.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.until('the page is shown below its tabs', ({ height }) => Number(height) < SIZE.height);
  const display = await DisplayWindows.open(service);
  const menu = async () => (await display.popups()).some(({ height }) => height > MENU_HEIGHT);
  const at = [AREA[0], AREA[1] + SIZE.height - Number(page.state['height'])] as const;

  for (const text of ['by the menu', 'by the menu, once more']) {
    await viewer.evaluate((local) => navigator.clipboard.writeText(local), text);
    await page.run('area.value = ""');
    await viewer.mouse.click(...at, { button: 'right' });
    await until('the menu is there', menu);
    // Chooses “Paste”. If “Paste as plain text” has the same letter, this only highlights “Paste”.
    await viewer.keyboard.press('p');
    const chosen = async () => !(await menu());
    await until('the menu is gone', chosen, CHOSEN_MS).catch(() => viewer.keyboard.press('Enter'));
    await page.until('the field has it', (state) => state['area'] === text);
    assert.deepEqual((page.state['paste'] as { types: string[] }).types, ['text/plain']);
  }
  await viewer.context().close();
});

import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 600 };
/** Places in `clipboard.html`. */
const SOURCE = [30, 275] as const;
const PICTURE = [100, 370] as const;

/**
 * Reads the local clipboard: texts unchanged, other types as a digest of their bytes. Resolves to an empty
 * object if the clipboard changes during the reading, because browsers then reject.
 */
const onClipboard = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(read).catch((error: unknown) => {
    if (String(error).includes('InvalidStateError')) return {};
    throw error;
  });

async function read(): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const item of await navigator.clipboard.read())
    for (const type of item.types) {
      const blob = await item.getType(type);
      const bytes = await blob.arrayBuffer();
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      seen[type] = type.startsWith('text/') ? await blob.text() : `${blob.size} bytes ${digest.join(' ')}`;
    }
  return seen;
}

const RICH = `<h2 style="color: rgb(1, 2, 3)">Title</h2><ul><li>One &amp; <a href="https://example.com/?a=1&amp;b=2">two</a></li></ul><table><tbody><tr><td>東京</td><td>🙂</td></tr></tbody></table>`;

test('a remote copy puts the same bytes on the local clipboard as a local copy', async ({
  show,
  browser,
}) => {
  const default_roles = ['control', 'clipboard_copy'];
  const { remote, session } = await show('clipboard', { ...SIZE, kiosk: true, default_roles });
  const { page } = await openViewer(browser, session, { viewport: SIZE });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await remote.fills(SIZE);
  const local = await page.context().newPage();
  await local.setViewportSize(SIZE);
  await local.goto(remote.url.replace(/\?.*/, '?id=0'));

  const fill = `source.innerHTML = ${JSON.stringify(RICH)}; getSelection().selectAllChildren(source)`;
  const write = "navigator.clipboard.writeText('before')";
  for (const [what, prepare, act] of [
    [
      'text/html',
      fill,
      async (shown: Page) => {
        await shown.keyboard.press('Control+c');
      },
    ],
    ['image/png', '0', (shown: Page) => shown.mouse.click(...PICTURE)],
  ] as const) {
    await local.bringToFront();
    await local.evaluate(write);
    if (what === 'text/html') await local.mouse.click(...SOURCE);
    await local.evaluate(`${prepare}; 0`);
    await act(local);
    const expected = await until(`${what} is copied here`, async () => {
      const seen = await onClipboard(local);
      return what in seen && seen;
    });
    await page.bringToFront();
    await page.evaluate(write);
    if (what === 'text/html') {
      const clicks = Number(remote.state['clicks'] ?? 0);
      await page.mouse.click(...SOURCE);
      await remote.until('the page has the click', (state) => Number(state['clicks'] ?? 0) > clicks);
    }
    await remote.run(prepare);
    await act(page);
    const seen = await until(`${what} has come`, async () => {
      const found = await onClipboard(page);
      return what in found && found;
    });
    assert.deepEqual(seen, expected);
  }
  await page.context().close();
});

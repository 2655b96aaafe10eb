import assert from 'node:assert/strict';
import { cleanUpAtEnd, test } from '../support/test.js';
import type { Viewer } from '../support/viewer.js';

cleanUpAtEnd();

const SIZE = { width: 800, height: 600 };

/** Drops content on the picture, which has the size of the window. */
async function drop(viewer: Viewer, data: Record<string, string>, x: number, y: number): Promise<void> {
  await viewer.page.locator('[part=surface]').evaluate(
    (surface, [texts, at]) => {
      const dataTransfer = new DataTransfer();
      for (const [type, text] of Object.entries(texts)) dataTransfer.setData(type, text);
      for (const type of ['dragover', 'drop'])
        surface.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer, ...at }));
    },
    [data, { clientX: x, clientY: y }] as const,
  );
}

test('text that is dropped on a field is inserted, and typing goes on there', async ({ show, watch }) => {
  const { remote, session } = await show('pen', { kiosk: true, ...SIZE });
  const viewer = await watch(session, { viewport: SIZE });
  await remote.fills(SIZE);
  await drop(viewer, { 'text/plain': 'dropped' }, 60, 35);
  await remote.until('the text arrives', (state) => state['input'] === 'dropped');
  await viewer.page.keyboard.type('!');
  await remote.until('the key arrives', (state) => String(state['input']).includes('!'));
});

test('a link that is dropped on a page opens, except in a kiosk', async ({ show, watch, pages }) => {
  for (const kiosk of [true, false]) {
    const { remote, session } = await show('pen', { kiosk, ...SIZE });
    const viewer = await watch(session, { viewport: SIZE });
    await viewer.atRest();
    const other = pages.page('touch');
    await drop(viewer, { 'text/uri-list': other.url, 'text/plain': 'Other' }, 600, 500);
    if (kiosk) {
      // The drop on the field comes after the drop of the link.
      await drop(viewer, { 'text/plain': 'dropped' }, 60, 35);
      await remote.until('the text arrives', (state) => state['input'] === 'dropped');
      assert.equal(other.loads, 0);
    } else await other.loaded();
  }
});

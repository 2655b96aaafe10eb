import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { sha256, someBytes } from '../support/some-files.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 800 };
const ROLES = ['control', 'file_upload', 'file_download'];

test.describe('the list of files on the embed page', () => {
  test('opens the local file chooser when a page asks for files, and shows downloads', async ({
    show,
    watch,
  }) => {
    const { remote, session } = await show('files', { ...SIZE, default_roles: ROLES });
    const { page } = await watch(session, { viewport: SIZE, acceptDownloads: true });

    const chosen = page.waitForEvent('filechooser');
    await page.mouse.click(150, 85);
    const chooser = await chosen;
    assert.ok(chooser.isMultiple());
    const buffer = someBytes(300_000);
    await chooser.setFiles(['a.bin', 'b.bin'].map((name) => ({ name, mimeType: 'text/plain', buffer })));
    await remote.event('change many');
    const seen = remote.state['many'] as { name: string; hash: string }[];
    assert.deepEqual(
      seen.map(({ name, hash }) => [name, hash]),
      [
        ['a.bin', sha256(buffer)],
        ['b.bin', sha256(buffer)],
      ],
    );
    await page.locator('.name', { hasText: '2 files' }).waitFor();

    await remote.run("offer('report.bin', 1000000)");
    const save = page.getByRole('button', { name: 'Save: report.bin' });
    await save.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
    assert.equal(download.suggestedFilename(), 'report.bin');
    assert.equal(sha256(await readFile(await download.path())), sha256(someBytes(1_000_000)));
    await page.getByRole('button', { name: 'Remove: report.bin' }).click();
    await save.waitFor({ state: 'detached' });
  });

  test('accepts files that are dropped onto the picture', async ({ show, watch }) => {
    const { remote, session } = await show('files', { ...SIZE, default_roles: ROLES });
    const { page } = await watch(session, { viewport: SIZE });
    await page.evaluate(() => {
      const surface = document.querySelector('cloud-browser')?.shadowRoot?.querySelector('.surface');
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['dropped'], 'd.txt'));
      const at = { clientX: 100, clientY: 230, bubbles: true, cancelable: true, composed: true };
      for (const type of ['dragover', 'drop'])
        surface?.dispatchEvent(new DragEvent(type, { ...at, dataTransfer }));
    });
    await remote.event('drop');
    const { at, files } = remote.state['drop'] as { at: unknown; files: { name: string }[] };
    assert.deepEqual([at, files.map(({ name }) => name)], [[100, 50], ['d.txt']]);
  });

  test('shows a button if the local chooser needs another click, and leaves everything to a page that wants it', async ({
    show,
    watch,
  }) => {
    const { remote, session } = await show('files', { ...SIZE, default_roles: ROLES });
    const viewer = await watch(session, { viewport: SIZE });
    const { page } = viewer;
    // Playwright's own calls would count as a gesture.
    await page.evaluate(() =>
      Object.defineProperty(navigator, 'userActivation', { value: { isActive: false } }),
    );
    const click = () =>
      page.evaluate(() => {
        const browser = document.querySelector('cloud-browser');
        for (const type of ['mousemove', 'mousedown', 'mouseup'] as const)
          browser?.sendEvent({ type, x: 150 / 800, y: 25 / 800, button: 0 });
      });
    await click();
    const choose = page.getByRole('button', { name: 'Choose file' });
    await choose.waitFor();
    for (const [width, height] of [
      [390, 844],
      [844, 390],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: `.build/files-list/${width}x${height}.png` });
    }
    const chosen = page.waitForEvent('filechooser');
    await choose.click();
    await (await chosen).setFiles({ name: 'x.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
    await remote.event('change one');

    await page.evaluate(() => {
      const browser = document.querySelector('cloud-browser');
      browser?.addEventListener('filechooser', (event) => {
        event.preventDefault();
        document.title = event.chooser.accept;
      });
    });
    await click();
    await until('the page is told', async () => (await page.title()) === 'image/*,.txt');
    assert.equal(await choose.count(), 0);
  });
});

import assert from 'node:assert/strict';
import { hold, STRICT } from '../../support/limits.js';
import { Hands } from '../support/hands.js';
import { deliveredRate } from '../support/delivered-rate.js';
import { RawViewer } from '../support/raw-viewer.js';
import { connectClient } from '../support/sdk-client.js';
import { sha256, someBytes, someFile } from '../support/some-files.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
/** MB in each direction. The complete measurement has `FILES_MB=50`. */
const MB = Number(process.env['FILES_MB'] ?? (STRICT ? 10 : 4));
const SIZE = MB * 2 ** 20;

test.describe('files while a page moves', { tag: ['@timing', '@alone'] }, () => {
  test('do not lower its frame rate, and arrive unchanged', async ({ show }) => {
    const roles = ['control', 'file_upload', 'file_download'];
    const { remote, session } = await show('files', {
      ...{ width: 800, height: 800, fps: 30, default_roles: roles },
    });
    await remote.run(`{
      const line = document.body.appendChild(document.createElement('div'));
      line.style = 'left: 400px; width: 300px; height: 300px; background: repeating-linear-gradient(#000 0 10px, #fff 10px 20px)';
      let at = 0;
      const move = () => { line.style.top = (at = (at + 4) % 400) + 'px'; requestAnimationFrame(move); };
      move();
    }`);
    const viewer = await RawViewer.open(session);
    await until('frames come', () => viewer.packets.length > 60);
    const before = Math.max(await deliveredRate(viewer), await deliveredRate(viewer));

    const { files } = await connectClient(session).then((client) => {
      new Hands(client).move(1, 1);
      return client;
    });
    const rates: number[] = [];
    const passing = { now: true };
    const measuring = (async () => {
      while (passing.now) rates.push(await deliveredRate(viewer));
    })();
    const began = performance.now();
    await files.upload({ x: 100, y: 230 }, [someFile('large.bin', SIZE)]);
    const sent = performance.now();
    await remote.run(`offerLarge('large.bin', ${SIZE})`);
    const download = await until('it is there', async () =>
      (await files.list()).find(({ state }) => state === 'done'),
    );
    const fetching = performance.now();
    const answer = await fetch(await files.url(download.id));
    const hash = sha256(new Uint8Array(await answer.arrayBuffer()));
    const fetched = performance.now();
    passing.now = false;
    await measuring;
    await remote.event('drop');
    const { files: seen } = remote.state['drop'] as { files: { hash: string }[] };
    assert.deepEqual([hash, seen[0]?.hash], [sha256(someBytes(SIZE)), sha256(someBytes(SIZE))]);
    const kept = rates.reduce((sum, rate) => sum + rate, 0) / rates.length / before;
    const [up, down] = [sent - began, fetched - fetching].map((ms) => (SIZE / 1e6 / ms) * 1000);
    note(
      `${up?.toFixed(1)} MB/s up, ${down?.toFixed(1)} MB/s down, ${(kept * 100).toFixed(1)} % of ${before.toFixed(1)} frames/s`,
    );
    hold('frames that a page keeps while files pass', 100 * kept, `of ${before.toFixed(1)} frames/s`);
  });
});

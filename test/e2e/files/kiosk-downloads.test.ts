import assert from 'node:assert/strict';
import { psnr } from '../support/psnr.js';
import { connectClient } from '../support/sdk-client.js';
import { sha256, someBytes } from '../support/some-files.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
/**
 * Minimum similarity of two pictures of the same page, in dB. A line of text over the page reduces it to 20
 * dB.
 */
const UNCHANGED_DB = 40;
const SIZE = { width: 800, height: 800 };

test('a download in a kiosk starts at once for a viewer with the role, and nothing covers the page', async ({
  show,
  watch,
}) => {
  const { remote, session } = await show('files', { ...SIZE, kiosk: true });
  const viewer = await watch(session, { viewport: SIZE });
  await viewer.atRest();
  const before = await viewer.picture();

  const client = await connectClient(session, session.admin_token);
  await client.remote.call('addRoles', [[client.userId ?? ''], ['file_download']], {
    adminToken: session.admin_token,
  });
  await client.files.list();
  await remote.run("offer('first.bin', 300000); offer('second.bin', 10)");
  const done = await until('both are there', async () => {
    const all = await client.files.list();
    return all.every(({ state }) => state !== 'running') && all.length === 2 && all;
  });
  assert.deepEqual(done.map(({ name, state }) => [name, state]).sort(), [
    ['first.bin', 'done'],
    ['second.bin', 'done'],
  ]);
  const answer = await fetch(await client.files.url(done.find(({ size }) => size === 300_000)!.id));
  assert.equal(sha256(new Uint8Array(await answer.arrayBuffer())), sha256(someBytes(300_000)));
  await viewer.atRest();
  const decibels = psnr(await viewer.picture(), before);
  assert.ok(decibels >= UNCHANGED_DB, `${decibels} dB`);
  client.disconnect();
});

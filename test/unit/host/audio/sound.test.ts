import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, mock } from 'node:test';
import { SoundCard } from '../../../../server/src/host/audio/sound-card.js';
import { Sound } from '../../../../server/src/host/audio/sound.js';
import { WATCH_INTERVAL_MS, Watchdog } from '../../../../server/src/platform/process/watchdog.js';

it('a sound server that starts while its checks are paused is checked only afterwards', async (context) => {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-sound-'));
  const asked = mock.method(SoundCard.prototype, 'answers', () => Promise.resolve());
  const watched = mock.method(Watchdog, 'start');
  const sound = new Sound(directory);
  context.after(async () => {
    mock.reset();
    await sound.stop();
    await rm(directory, { recursive: true, force: true });
  });
  sound.pauseWatch(true);
  await sound.ready;
  assert.equal(watched.mock.callCount(), 0);
  // Only now, because the start itself waits with timers until the server listens.
  mock.timers.enable({ apis: ['setTimeout'] });
  sound.pauseWatch(false);
  mock.timers.tick(WATCH_INTERVAL_MS);
  assert.equal(asked.mock.callCount(), 1);
});

import assert from 'node:assert/strict';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { Ear } from '../support/ear.js';
import { Embedder } from '../support/embedder.js';
import type { HostedPage } from '../support/hosted-page.js';
import { descendants, onlyProcess, processorTime, PULSE_AUDIO } from '../support/processes.js';
import { RawViewer } from '../support/raw-viewer.js';
import { connectClient } from '../support/sdk-client.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';
import type { Viewer } from '../support/viewer.js';
import { openViewer } from '../support/viewers.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
const TONE_HZ = 440;
const HIGHER_TONE_HZ = 880;

let session: Session;
let remote: HostedPage;
let viewer: Viewer;
test.beforeAll(async ({ service, pages, browser }) => {
  remote = pages.page('tone');
  session = await service.create({ start_url: remote.url, ...SIZE });
  viewer = await openViewer(browser, session, { viewport: SIZE });
  await remote.loaded();
  // Neither browser plays a page's sound before its user has clicked; this click counts in both browsers.
  await viewer.page.mouse.click(320, 240);
  await remote.event('click');
});

/** Captures the sound that the viewer plays and analyses it. */
async function listen(): Promise<Ear> {
  return Ear.on(
    await viewer.page.evaluateHandle(() =>
      document.querySelector<CloudBrowserElement>('cloud-browser')!.viewer!.captureSound()!,
    ),
  );
}

test.describe('the sound of a session', () => {
  test('reaches listeners unchanged, and stops when the page stops', { tag: '@main' }, async () => {
    const deaf = await RawViewer.open(session);
    const ear = await RawViewer.open(session);
    ear.listen(true);
    const speakers = await listen();
    assert.equal(await speakers.frequency(), 0);

    await remote.run(`play(${TONE_HZ})`);
    await speakers.hears(TONE_HZ);
    note(`${(await speakers.frequency()).toFixed(1)} Hz of ${TONE_HZ}`);
    assert.equal(ear.sounds[0]?.start, true);
    const { length } = ear.sounds;
    await until('a second of it has come', () => ear.sounds.length >= length + 50);
    const numbers = ear.sounds.map(({ number }) => number);
    assert.deepEqual(
      numbers,
      numbers.map((_number, index) => (numbers[0] ?? 0) + index),
    );
    assert.equal(ear.sounds.filter(({ start }) => start).length, 1);
    const bytes = ear.sounds.reduce((sum, { payload }) => sum + payload.length, 0);
    note(`${((bytes / ear.sounds.length) * 50 * 8) / 1_000} kbit/s`);

    await remote.run('stop()');
    await speakers.hearsNothing();
    const sounds = ear.sounds.length;
    const pictures = deaf.packets.length;
    await remote.run('void (document.documentElement.style.background = "green")');
    await until('a picture comes', () => deaf.packets.length > pictures);
    assert.equal(ear.sounds.length, sounds);
    assert.equal(deaf.sounds.length, 0);
    deaf.close();
    ear.close();
  });

  test('is not heard by a muted viewer, while other viewers hear it', async () => {
    const element = await viewer.page.evaluateHandle(() =>
      document.querySelector<CloudBrowserElement>('cloud-browser')!,
    );
    const speakers = await listen();
    await remote.run(`play(${TONE_HZ})`);
    await speakers.hears(TONE_HZ);
    await element.evaluate((browser) => void (browser.muted = true));
    await speakers.hearsNothing();
    const ear = await RawViewer.open(session);
    ear.listen(true);
    await until('others hear it', () => ear.sounds.length > 10);
    ear.listen(false);
    await element.evaluate((browser) => void (browser.muted = false));
    await speakers.hears(TONE_HZ);
    await remote.run('stop()');
    ear.close();
  });

  test('is not sent to others while a user has privacy mode', async () => {
    const owner = await connectClient(session);
    const other = await RawViewer.open(session);
    other.listen(true);
    let sounds = 0;
    owner.on('sound', () => (sounds += 1));
    owner.setSound(true);
    owner.remote.adminToken = session.admin_token;
    await remote.run(`play(${TONE_HZ})`);
    await until('both hear it', () => sounds > 10 && other.sounds.length > 10);
    await owner.users.enablePrivacyMode();
    // Packets that were on their way to the other viewer may arrive after the answer to the owner.
    const answered = sounds;
    await until('what was under way has come', () => sounds > answered + 2);
    const { length } = other.sounds;
    const before = sounds;
    await until('the owner hears on', () => sounds > before + 10);
    assert.equal(other.sounds.length, length);
    owner.disconnect();
    await until('the other hears again', () => other.sounds.length > length + 10);
    await remote.run('stop()');
    other.close();
  });

  // Proves: option videoPaused; option volume
  test('is a track for the public client, with the volume of the client', async ({ browser }) => {
    const embedder = await Embedder.open(browser);
    await embedder.page.mouse.click(1_300, 510);
    await embedder.start('one', session.embed_url, { wants: 'sound' });
    const ear = await Ear.on(await embedder.page.evaluateHandle(() => window.embeds['one']!.sound!));
    await remote.run(`play(${TONE_HZ})`);
    await ear.hears(TONE_HZ);
    await embedder.set('one', 'volume', 0);
    await ear.hearsNothing();
    await embedder.set('one', 'volume', 0.5);
    await ear.hears(TONE_HZ);
    await remote.run('stop()');
  });

  test('continues with new sound after its server was killed', async ({ service }) => {
    const speakers = await listen();
    const pulse = onlyProcess(service.pid, PULSE_AUDIO);
    note(`PulseAudio took ${processorTime(pulse.pid)} ms`);
    process.kill(pulse.pid, 'SIGKILL');
    await until('there is another one', () =>
      descendants(service.pid).some(({ pid, command }) => PULSE_AUDIO.test(command) && pid !== pulse.pid),
    );
    // The browser may still try to connect to the sound server that ended.
    let plays = 0;
    await until('the tone is heard', async () => {
      if (plays++ % 10 === 0) await remote.run(`play(${HIGHER_TONE_HZ})`);
      return Math.abs((await speakers.frequency()) - HIGHER_TONE_HZ) < 10;
    });
    assert.equal(await viewer.state(), 'playing');
  });
});

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Browser } from 'playwright';
import type { CloudBrowserElement } from '../../src/element/cloud-browser.js';
import { cleanUpAtEnd } from './support/cleanup.js';
import type { HostedPage } from './support/hosted-page.js';
import { PageServer } from './support/page-server.js';
import { descendants, onlyProcess, processorTime, PULSE_AUDIO } from './support/processes.js';
import { RawViewer } from './support/raw-viewer.js';
import { connectClient } from './support/sdk-client.js';
import type { Service, Session } from './support/service.js';
import { sharedBrowser, sharedService } from './support/shared.js';
import { until } from './support/until.js';
import type { Viewer } from './support/viewer.js';
import { openViewer } from './support/viewers.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
/** Hertz. */
const TONE = 440;
const HIGHER_TONE = 880;
/** What a Fourier transform over a second can tell apart, with room for the window that it uses. */
const TOLERANCE = 6;

let service: Service;
let browser: Browser;
let session: Session;
let remote: HostedPage;
let viewer: Viewer;
before(async () => {
  let pages: PageServer;
  [service, pages, browser] = await Promise.all([sharedService(), PageServer.start(), sharedBrowser()]);
  remote = pages.page('tone');
  session = await service.create({ start_url: remote.url, ...SIZE });
  viewer = await openViewer(browser, session, { viewport: SIZE });
  await remote.loaded();
  // Neither browser lets a page be heard before its user has done something: this is both users' click.
  await viewer.page.mouse.click(320, 240);
  await remote.event('click');
});

/** From now on notes the loudest frequency that the viewer hears, in hertz; 0 while it hears nothing. */
async function hear(): Promise<() => Promise<number>> {
  const heard = await viewer.page.evaluateHandle(() => {
    const track = document.querySelector<CloudBrowserElement>('cloud-browser')?.viewer?.captureSound();
    if (!track) throw new Error('There is no sound here.');
    const context = new AudioContext();
    const analyser = new AnalyserNode(context, { fftSize: 32_768, smoothingTimeConstant: 0 });
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    return { analyser, levels: new Float32Array(analyser.frequencyBinCount) };
  });
  return () =>
    heard.evaluate(({ analyser, levels }) => {
      analyser.getFloatFrequencyData(levels);
      const loudest = levels.reduce((best, level, bin) => (level > (levels[best] ?? 0) ? bin : best), 0);
      const audible = (levels[loudest] ?? -Infinity) > -40;
      return audible ? (loudest * analyser.context.sampleRate) / analyser.fftSize : 0;
    });
}

const near = (heard: number, tone: number) => Math.abs(heard - tone) < TOLERANCE;

describe('the sound of a session', () => {
  it('comes to who wants to hear, as it was played, and ends with it', async (test) => {
    const deaf = await RawViewer.open(session);
    const ear = await RawViewer.open(session);
    ear.listen(true);
    const heard = await hear();
    assert.equal(await heard(), 0);

    await remote.run(`play(${TONE})`);
    await until('the tone is heard', async () => near(await heard(), TONE));
    test.diagnostic(`${(await heard()).toFixed(1)} Hz of ${TONE}`);
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
    test.diagnostic(`${((bytes / ear.sounds.length) * 50 * 8) / 1_000} kbit/s`);

    await remote.run('stop()');
    await until('it is silent', async () => (await heard()) === 0);
    const sounds = ear.sounds.length;
    const pictures = deaf.packets.length;
    await remote.run('void (document.documentElement.style.background = "green")');
    await until('a picture comes', () => deaf.packets.length > pictures);
    assert.equal(ear.sounds.length, sounds);
    assert.equal(deaf.sounds.length, 0);
    deaf.close();
    ear.close();
  });

  it('is not sent to who has turned it off, nor made then', async () => {
    const element = await viewer.page.evaluateHandle(() =>
      document.querySelector<CloudBrowserElement>('cloud-browser')!,
    );
    const heard = await hear();
    await remote.run(`play(${TONE})`);
    await until('the tone is heard', async () => near(await heard(), TONE));
    await element.evaluate((browser) => void (browser.muted = true));
    await until('it is silent', async () => (await heard()) === 0);
    const ear = await RawViewer.open(session);
    ear.listen(true);
    await until('others hear it', () => ear.sounds.length > 10);
    ear.listen(false);
    await element.evaluate((browser) => void (browser.muted = false));
    await until('the tone is heard again', async () => near(await heard(), TONE));
    await remote.run('stop()');
    ear.close();
  });

  it('is kept from the others while a user has the browser to himself', async () => {
    const owner = await connectClient(session);
    const other = await RawViewer.open(session);
    other.listen(true);
    let sounds = 0;
    owner.on('sound', () => (sounds += 1));
    owner.setSound(true);
    owner.remote.adminToken = session.admin_token;
    await remote.run(`play(${TONE})`);
    await until('both hear it', () => sounds > 10 && other.sounds.length > 10);
    await owner.users.enablePrivacyMode();
    const { length } = other.sounds;
    const before = sounds;
    await until('the owner hears on', () => sounds > before + 10);
    assert.equal(other.sounds.length, length);
    owner.disconnect();
    await until('the other hears again', () => other.sounds.length > length + 10);
    await remote.run('stop()');
    other.close();
  });

  it('goes on after its server was killed, with what is played next', async (test) => {
    const heard = await hear();
    const pulse = onlyProcess(service.pid, PULSE_AUDIO);
    test.diagnostic(`PulseAudio took ${processorTime(pulse.pid)} ms`);
    process.kill(pulse.pid, 'SIGKILL');
    await until('there is another one', () =>
      descendants(service.pid).some(({ pid, command }) => PULSE_AUDIO.test(command) && pid !== pulse.pid),
    );
    await until('the tone is heard', async () => {
      await remote.run(`play(${HIGHER_TONE})`);
      return near(await heard(), HIGHER_TONE);
    });
    assert.equal(await viewer.state(), 'playing');
  });
});

import embed, { type Embed } from '../../../src/embed-module/index.js';
import { encodeSoundPacket, SOUND_FORMAT } from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';
import { FakeNetwork, sendPacket } from '../support/fake-web-socket.js';
import { h264Packets, HEIGHT, RED, streamInfo, WIDTH } from '../support/packets.js';
import { tone, TONE_HZ } from '../support/tone.js';

const PACKET_MS = (SOUND_FORMAT.packetSamples / SOUND_FORMAT.sampleRate) * 1_000;
type CapturedVideo = HTMLVideoElement & { captureStream(): MediaStream };

describe('a recording of the <video> of an embed', () => {
  let network: FakeNetwork;
  let container: HTMLElement;
  let root: ShadowRoot;
  let embedded: Embed;

  beforeEach(async () => {
    network = new FakeNetwork();
    container = document.body.appendChild(document.createElement('div'));
    root = container.attachShadow({ mode: 'open' });
    const opened = network.opened();
    embedded = embed(root, 'https://host.example/session?token=t', () => undefined);
    await opened;
    network.host.last.welcome({ width: WIDTH, height: HEIGHT });
    network.host.last.send(streamInfo());
    for (const packet of await h264Packets([RED])) sendPacket(network.host.last, packet);
  });
  afterEach(() => {
    embedded.destroy();
    container.remove();
    network.restore();
  });

  const captured = () => (root.querySelector('#vid') as CapturedVideo).captureStream();

  /** Records until the file so far matches. Resolves to that file. */
  async function record(
    stream: MediaStream,
    during: () => Promise<void>,
    holds: (file: Blob) => Promise<boolean>,
  ): Promise<Blob> {
    const recorder = new MediaRecorder(stream, { mimeType: 'video/webm;codecs=vp8,opus' });
    const parts: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    recorder.start(100);
    let file = new Blob();
    while (!(await holds(file))) {
      await during();
      file = new Blob(parts, { type: 'video/webm' });
    }
    recorder.stop();
    return file;
  }

  /**
   * Resolves to true if a file contains a twentieth of a second with the tone alone. A busy machine plays the
   * tone with gaps.
   */
  async function hasTone(file: Blob): Promise<boolean> {
    const { sampleRate } = SOUND_FORMAT;
    const context = new OfflineAudioContext(1, 1, sampleRate);
    // A recording that has just begun has no sound yet.
    const sound = await context.decodeAudioData(await file.arrayBuffer()).catch(() => undefined);
    const samples = sound?.getChannelData(0) ?? new Float32Array();
    for (let from = 0; from < samples.length; from += sampleRate / 20)
      if (isTone(samples.subarray(from, from + sampleRate / 20))) return true;
    return false;
  }

  function isTone(samples: Float32Array): boolean {
    let [all, sine, cosine] = [0, 0, 0];
    samples.forEach((value, at) => {
      all += value * value;
      sine += value * Math.sin((2 * Math.PI * TONE_HZ * at) / SOUND_FORMAT.sampleRate);
      cosine += value * Math.cos((2 * Math.PI * TONE_HZ * at) / SOUND_FORMAT.sampleRate);
    });
    const ofTone = (2 * (sine * sine + cosine * cosine)) / samples.length;
    return all / samples.length > 0.01 && ofTone / all > 0.9;
  }

  async function send(packets: Awaited<ReturnType<typeof tone>>): Promise<void> {
    const start = performance.now();
    for (const [at, packet] of packets.entries()) {
      network.host.last.listener.onMessage(encodeSoundPacket(packet));
      const due = start + at * PACKET_MS;
      while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  // Proves: page: captureStream() of #vid
  it('has picture and sound, even if the user has not touched the page', async function () {
    this.timeout(30_000);
    const stream = captured();
    equal(
      stream.getTracks().map(({ kind }) => kind),
      ['audio', 'video'],
    );
    ok(network.host.last.of('sound').at(-1)?.on);
    const packets = await tone(50);
    const file = await record(stream, () => send(packets), hasTone);
    const video = document.createElement('video');
    video.muted = true;
    video.src = URL.createObjectURL(file);
    await video.play();
    equal([video.videoWidth, video.videoHeight], [WIDTH, HEIGHT]);
    URL.revokeObjectURL(video.src);
  });

  it('works in silence too', async () => {
    const recorder = new MediaRecorder(captured());
    const written = new Promise<void>((resolve) =>
      recorder.addEventListener('dataavailable', ({ data }) => data.size > 0 && resolve()),
    );
    recorder.start(50);
    await written;
    recorder.stop();
  });
});

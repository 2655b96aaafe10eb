import { sendMouse } from '@web/test-runner-commands';
import { SoundOutput } from '../../../src/media/index.js';
import { SoundPlayer } from '../../../src/media/sound/sound-player.js';
import { SOUND_FORMAT, type SoundPacket } from '../../../src/protocol/index.js';
import { ok } from '../support/assert.js';
import { tone, TONE_HZ } from '../support/tone.js';

const { sampleRate, packetSamples } = SOUND_FORMAT;

/** Sound that arrives at once. The packets of a test are one second. */
const BURST_SECONDS = 20;

describe('a sound player', () => {
  let output: SoundOutput;
  let player: SoundPlayer;
  let context: AudioContext;
  let analyser: AnalyserNode;

  beforeEach(async () => {
    // A browser plays no sound before the user of the page has clicked or typed.
    await sendMouse({ type: 'click', position: [1, 1] });
    output = new SoundOutput();
    player = new SoundPlayer(output);
    context = new AudioContext({ sampleRate });
    analyser = new AnalyserNode(context, { fftSize: 4_096, smoothingTimeConstant: 0 });
    context.createMediaStreamSource(new MediaStream([output.capture()])).connect(analyser);
  });

  afterEach(async () => {
    player.close();
    output.close();
    await context.close();
  });

  /** Pushes each packet when it is due, until the condition holds. */
  async function playUntil(packets: SoundPacket[], holds: () => boolean): Promise<void> {
    for (let next = 0; !holds(); next = (next + 1) % packets.length) {
      const packet = packets[next];
      if (packet) player.push({ ...packet, start: false });
      await new Promise((resolve) => setTimeout(resolve, (1_000 * packetSamples) / sampleRate));
    }
  }

  /** Loudness of the tone, and of the loudest frequency far from it, in decibels. */
  function levels(): { wanted: number; other: number } {
    const bins = new Float32Array(analyser.frequencyBinCount);
    analyser.getFloatFrequencyData(bins);
    const bin = Math.round((TONE_HZ * analyser.fftSize) / sampleRate);
    return {
      wanted: Math.max(...bins.subarray(bin - 2, bin + 3)),
      other: Math.max(...bins.subarray(bin + 60)),
    };
  }

  it('plays the encoded sound', async () => {
    const packets = await tone(50);
    await playUntil(packets, () => levels().wanted > -20);
    ok(levels().wanted > levels().other + 20);
  });

  it('has the volume that is set', async () => {
    const packets = await tone(50);
    output.volume = 0.1;
    await playUntil(packets, () => levels().wanted > -40);
    ok(levels().wanted < -15, `${levels().wanted} dB`);
    output.volume = 1;
    await playUntil(packets, () => levels().wanted > -15);
    output.volume = 0;
    await playUntil(packets, () => levels().wanted < -80);
  });

  it('continues after an invalid packet', async () => {
    const packets = await tone(50);
    player.push({ start: true, number: 0, captureTime: 0, payload: new Uint8Array([255, 255, 255, 0]) });
    await playUntil(packets, () => levels().wanted > -20);
  });

  for (const way of ['a track that is fed', 'a node of the graph']) {
    it(`gives recorders a track at full volume that never pauses, by ${way}`, async () => {
      const scope = globalThis as { MediaStreamTrackGenerator?: unknown };
      const generator = scope.MediaStreamTrackGenerator;
      if (way === 'a node of the graph') delete scope.MediaStreamTrackGenerator;
      try {
        const other = output.tap();
        const recorder = new MediaRecorder(new MediaStream([output.tap()]));
        const begun = new Promise((resolve) =>
          recorder.addEventListener('dataavailable', resolve, { once: true }),
        );
        recorder.start(100);
        await begun;
        recorder.stop();
        other.stop();
        const packets = await tone(50);
        output.volume = 0;
        context.createMediaStreamSource(new MediaStream([output.tap()])).connect(analyser);
        await playUntil(packets, () => levels().wanted > -20);
        ok(levels().wanted > levels().other + 20);
      } finally {
        scope.MediaStreamTrackGenerator = generator;
      }
    });
  }

  it('drops sound that arrives faster than it plays', async () => {
    const packets = await tone(50);
    await playUntil(packets, () => levels().wanted > -20);
    for (let burst = 0; burst < BURST_SECONDS; burst++)
      for (const packet of packets) player.push({ ...packet, start: false });
    // The player keeps less than a second of it. A slow machine plays while it decodes, but not for so long.
    const until = context.currentTime + BURST_SECONDS / 2;
    let quietSince = context.currentTime;
    while (context.currentTime < Math.min(quietSince + 1, until)) {
      await new Promise(requestAnimationFrame);
      if (levels().wanted > -60) quietSince = context.currentTime;
    }
    ok(context.currentTime < until, 'still plays');
  });
});

import { SOUND_FORMAT, type SoundPacket } from '../../../src/protocol/index.js';

const { sampleRate, channels, packetSamples } = SOUND_FORMAT;
export const TONE_HZ = 1_000;

/** A tone as the host would send it. */
export async function tone(packets: number): Promise<SoundPacket[]> {
  const sent: SoundPacket[] = [];
  const encoder = new AudioEncoder({
    output: (chunk) => {
      const payload = new Uint8Array(chunk.byteLength);
      chunk.copyTo(payload);
      sent.push({ start: sent.length === 0, number: sent.length, captureTime: 0, payload });
    },
    error: (error) => {
      throw error;
    },
  });
  encoder.configure({ codec: 'opus', sampleRate, numberOfChannels: channels });
  for (let packet = 0; packet < packets; packet++) {
    const data = new Float32Array(packetSamples * channels);
    for (let sample = 0; sample < packetSamples; sample++) {
      const value = Math.sin((2 * Math.PI * TONE_HZ * (packet * packetSamples + sample)) / sampleRate);
      data.fill(value, sample * channels, (sample + 1) * channels);
    }
    const timestamp = (packet * packetSamples * 1_000_000) / sampleRate;
    encoder.encode(
      new AudioData({
        ...{ format: 'f32', sampleRate, timestamp, data },
        ...{ numberOfChannels: channels, numberOfFrames: packetSamples },
      }),
    );
  }
  await encoder.flush();
  encoder.close();
  return sent;
}

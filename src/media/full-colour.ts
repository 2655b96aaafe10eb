/** H.264, High 4:4:4 Predictive at the level that covers 1920x1080: each pixel has a colour of its own. */
const CODEC = 'avc1.F40028';
/** A grey key frame of 64x64 pixels in that profile: parameter sets and one slice, Annex B. */
const SAMPLE = 'AAABZ/QACpGWhCabgIaDIAAAAwAgAAAPEeJE1AAAAWjOA5GSAAABZYiEonk8nk9evXr169evXr16+A==';
/** For decoding the sample, which takes a few milliseconds: a decoder that needs longer is of no use for a stream. */
const DECODE_TIMEOUT_MS = 1_000;

let outcome: Promise<boolean> | undefined;

/**
 * Whether this browser decodes 4:4:4, found out by doing it: the profile is rare, and some decoders claim it and fail. Takes a few
 * milliseconds, once in a page. Never rejects.
 */
export function decodesFullColour(acceleration: HardwareAcceleration): Promise<boolean> {
  outcome ??= tryDecoding(acceleration).catch(() => false);
  return outcome;
}

async function tryDecoding(hardwareAcceleration: HardwareAcceleration): Promise<boolean> {
  const config: VideoDecoderConfig = { codec: CODEC, optimizeForLatency: true, hardwareAcceleration };
  const { supported } = await VideoDecoder.isConfigSupported(config);
  if (!supported) return false;
  return new Promise((resolve) => {
    const decoder = new VideoDecoder({
      output: (frame) => {
        frame.close();
        settle(true);
      },
      error: () => settle(false),
    });
    const timer = setTimeout(() => settle(false), DECODE_TIMEOUT_MS);
    const settle = (decodes: boolean) => {
      clearTimeout(timer);
      resolve(decodes);
      if (decoder.state !== 'closed') decoder.close();
    };
    decoder.configure(config);
    const data = Uint8Array.from(atob(SAMPLE), (character) => character.charCodeAt(0));
    decoder.decode(new EncodedVideoChunk({ type: 'key', timestamp: 0, data }));
    // Some decoders wait for more until they are told that this was all.
    decoder.flush().catch(() => settle(false));
  });
}

import { MediaPlayer, type PaintedFrame } from '../../../src/media/media-player.js';
import { equal, ok } from '../support/assert.js';
import {
  BLUE,
  GREEN,
  h264Packets,
  HEIGHT,
  jpegPacket,
  packet,
  RED,
  streamInfo,
  untilPixel,
  WIDTH,
} from '../support/packets.js';

/** A player with everything that it reported. */
class Bench {
  readonly canvas = document.createElement('canvas');
  readonly acknowledged: number[] = [];
  readonly painted: PaintedFrame[] = [];
  readonly keyFrameRequests: number[] = [];
  readonly sizes: string[] = [];
  readonly failures: string[] = [];
  readonly player: MediaPlayer;
  #changed: () => void = () => undefined;

  constructor(firstPacketMs = 2_000) {
    document.body.append(this.canvas);
    const note =
      <Value>(list: Value[]) =>
      (value: Value) => {
        list.push(value);
        this.#changed();
      };
    this.player = new MediaPlayer({
      canvas: this.canvas,
      firstPacketMs,
      acceleration: 'prefer-software',
      connection: {
        acknowledge: (_stream, frame) => note(this.acknowledged)(frame),
        requestKeyFrame: note(this.keyFrameRequests),
        inputLatency: (seq) => (seq > 0 ? seq : undefined),
      },
      events: {
        onPainted: note(this.painted),
        onResize: (width, height) => note(this.sizes)(`${width}x${height}`),
        onFailed: note(this.failures),
      },
    });
  }

  /** Resolves when the condition holds after some report. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => (this.#changed = resolve));
  }

  close(): void {
    this.player.close();
    this.canvas.remove();
  }
}

/** A decoder that accepts everything and outputs nothing. */
class SilentDecoder extends VideoDecoder {
  override decode(): void {
    // Outputs no frame.
  }

  override flush(): Promise<void> {
    return new Promise(() => undefined);
  }
}

/** A decoder that outputs a frame when the next one arrives or on a flush. */
class HoldingDecoder extends VideoDecoder {
  #held: EncodedVideoChunk | undefined;

  override decode(chunk: EncodedVideoChunk): void {
    if (this.#held) super.decode(this.#held);
    this.#held = chunk;
  }

  override flush(): Promise<void> {
    if (this.#held) super.decode(this.#held);
    this.#held = undefined;
    return super.flush();
  }
}

/** Replaces the browser's decoder. Returns a function that restores the original one. */
function replaceDecoder(other: typeof VideoDecoder): () => void {
  const own = globalThis.VideoDecoder;
  globalThis.VideoDecoder = other;
  return () => {
    globalThis.VideoDecoder = own;
  };
}

describe('a media player', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.close());

  it('requests the first picture of a stream until a picture arrives', async () => {
    bench.close();
    bench = new Bench(20);
    bench.player.setStream(streamInfo());
    bench.player.setStream(streamInfo({ stream: 2 }));
    await bench.until(() => bench.keyFrameRequests.length === 2);
    const [first] = await h264Packets([RED], 2);
    ok(first);
    bench.player.push(first);
    await bench.until(() => bench.painted.length === 1);
    const asked = bench.keyFrameRequests.length;
    await new Promise((resolve) => setTimeout(resolve, 60));
    equal([...new Set(bench.keyFrameRequests)], [2]);
    equal(bench.keyFrameRequests.length, asked);
  });

  it('paints H.264 without its padding and acknowledges every frame', async () => {
    bench.player.setStream(streamInfo());
    for (const each of await h264Packets([RED, GREEN, BLUE])) bench.player.push(each);
    await bench.until(() => bench.painted.length === 3);
    await untilPixel(bench.canvas, WIDTH - 2, HEIGHT - 2, BLUE);
    equal(bench.acknowledged, [0, 1, 2]);
    equal(bench.sizes, [`${WIDTH}x${HEIGHT}`]);
    equal([bench.canvas.width, bench.canvas.height], [WIDTH, HEIGHT]);
  });

  it('shows one picture per packet without delay', async () => {
    bench.player.setStream(streamInfo());
    const packets = await h264Packets([RED, GREEN]);
    for (const [index, each] of packets.entries()) {
      bench.player.push(each);
      await bench.until(() => bench.painted.length === index + 1);
    }
  });

  it('requests a key frame in the middle of a stream, and drops frames until it arrives', async () => {
    bench.player.setStream(streamInfo());
    const [key, delta] = await h264Packets([RED, GREEN]);
    ok(key && delta);
    bench.player.push(delta);
    await bench.until(() => bench.keyFrameRequests.length === 1);
    bench.player.push({ ...delta, frame: 2 });
    bench.player.push({ ...key, frame: 3 });
    await bench.until(() => bench.painted.length === 1);
    equal(bench.acknowledged, [1, 2, 3]);
    equal(bench.keyFrameRequests, [1]);
  });

  it('does not decode frames after a missing one', async () => {
    bench.player.setStream(streamInfo());
    const [key, , third] = await h264Packets([RED, GREEN, BLUE]);
    ok(key && third);
    bench.player.push(key);
    bench.player.push(third);
    await bench.until(() => bench.keyFrameRequests.length === 1 && bench.painted.length === 1);
    equal(bench.player.figures().framesDropped, 1);
  });

  it('recovers from a packet that cannot be decoded', async () => {
    bench.player.setStream(streamInfo());
    bench.player.push(packet({ keyFrame: true, payload: new Uint8Array([0, 0, 0, 1, 0x65, 1, 2, 3]) }));
    await bench.until(() => bench.keyFrameRequests.length === 1);
    const [key] = await h264Packets([GREEN]);
    ok(key);
    bench.player.push({ ...key, frame: 1 });
    await bench.until(() => bench.painted.length === 1);
    await untilPixel(bench.canvas, 5, 5, GREEN);
    equal(bench.acknowledged, [0, 1]);
  });

  it('gives up a media kind after repeated failures', async () => {
    bench.player.setStream(streamInfo({ codec: 'avc1.FFFFFF' }));
    const [key] = await h264Packets([GREEN]);
    ok(key);
    for (const frame of [0, 1, 2]) {
      bench.player.push({ ...key, frame });
      await bench.until(() => bench.acknowledged.includes(frame));
    }
    await bench.until(() => bench.failures.length === 1);
  });

  it('flushes a decoder that holds a picture back, and continues', async () => {
    const restore = replaceDecoder(HoldingDecoder);
    try {
      bench.player.setStream(streamInfo());
      const [key, delta] = await h264Packets([GREEN, RED]);
      ok(key && delta);
      bench.player.push(key);
      await bench.until(() => bench.painted.length === 1);
      await untilPixel(bench.canvas, 5, 5, GREEN);
      // The decoder takes nothing but a key frame after that.
      bench.player.push(delta);
      await bench.until(() => bench.keyFrameRequests.length === 1);
      equal(bench.failures, []);
    } finally {
      restore();
    }
  });

  it('replaces a decoder that never answers', async () => {
    const restore = replaceDecoder(SilentDecoder);
    const [key] = await h264Packets([GREEN]);
    ok(key);
    bench.player.setStream(streamInfo());
    bench.player.push(key);
    await bench.until(() => bench.keyFrameRequests.length === 1);
    restore();
    equal(bench.acknowledged, [0]);
    bench.player.push({ ...key, frame: 1 });
    await bench.until(() => bench.painted.length === 1);
    await untilPixel(bench.canvas, 5, 5, GREEN);
  });

  it('drops packets of an earlier stream but acknowledges them', async () => {
    bench.player.setStream(streamInfo({ stream: 2 }));
    bench.player.push(packet({ stream: 1, frame: 7 }));
    await bench.until(() => bench.acknowledged.length === 1);
    equal([bench.acknowledged, bench.painted, bench.keyFrameRequests], [[7], [], []]);
  });

  // Proves: option persistScreen
  it('paints the whole picture again after the browser has lost the pixels of the canvas', async () => {
    const [key] = await h264Packets([RED]);
    ok(key);
    bench.player.setStream(streamInfo());
    bench.player.push(key);
    await untilPixel(bench.canvas, 5, 5, RED);
    bench.canvas.getContext('2d')?.reset();
    bench.canvas.dispatchEvent(new Event('contextrestored'));
    equal(bench.keyFrameRequests, [1]);
    // The picture is the same, so the host reports an area without pixels.
    bench.player.push({ ...key, frame: 1, area: { x: 0, y: 0, width: 0, height: 0 } });
    await untilPixel(bench.canvas, 5, 5, RED);
    bench.player.close();
    bench.canvas.dispatchEvent(new Event('contextrestored'));
    equal(bench.keyFrameRequests, [1]);
  });

  it('keeps the last picture until the next stream has one', async () => {
    bench.player.setStream(streamInfo());
    for (const each of await h264Packets([RED])) bench.player.push(each);
    await bench.until(() => bench.painted.length === 1);
    await untilPixel(bench.canvas, 5, 5, RED);
    bench.player.setStream(streamInfo({ stream: 2, media: 'image', codec: '', width: 100, height: 80 }));
    await untilPixel(bench.canvas, 5, 5, RED);
    bench.player.push(await jpegPacket(BLUE, 0, 2));
    await untilPixel(bench.canvas, 5, 5, BLUE);
    equal(bench.sizes, [`${WIDTH}x${HEIGHT}`, '100x80']);
  });

  it('shows the newest of several images and acknowledges all', async () => {
    bench.player.setStream(streamInfo({ media: 'image', codec: '' }));
    const packets = await Promise.all(
      [RED, GREEN, RED, BLUE].map((colour, frame) => jpegPacket(colour, frame)),
    );
    for (const each of packets) bench.player.push(each);
    await bench.until(() => bench.acknowledged.length === packets.length);
    await untilPixel(bench.canvas, 5, 5, BLUE);
    equal(bench.painted.at(-1)?.frame, 3);
    ok(bench.player.figures().framesDropped > 0);
  });

  it('reports its measurements', async () => {
    bench.player.setStream(streamInfo());
    const packets = await h264Packets([RED, GREEN]);
    for (const each of packets) bench.player.push({ ...each, inputSeq: each.frame * 10 });
    await bench.until(() => bench.painted.length === 2);
    const figures = bench.player.figures();
    equal(figures.framesPainted, 2);
    equal(figures.inputToPhoton, 10);
    ok(figures.bitsPerSecond >= 8 * (packets[0]?.payload.length ?? 0));
    ok((figures.decodeTime ?? -1) >= 0);
  });
});

describe('a closed media player', () => {
  it('reports nothing', async () => {
    const bench = new Bench();
    bench.player.setStream(streamInfo());
    const packets = await h264Packets([RED]);
    bench.close();
    for (const each of packets) bench.player.push(each);
    equal([bench.painted, bench.failures], [[], []]);
  });
});

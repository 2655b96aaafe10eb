import embed, { type Embed } from '../../../src/embed-module/index.js';
import type { EmbedOptions, FromEmbed } from '../../../src/embed-module/messages.js';
import { equal, ok } from '../support/assert.js';
import { FakeNetwork, sendPacket } from '../support/fake-web-socket.js';
import {
  BLUE,
  GREEN,
  h264Packets,
  HEIGHT,
  isNear,
  pixel,
  RED,
  streamInfo,
  WIDTH,
  type Colour,
} from '../support/packets.js';

const nextFrame = () => new Promise(requestAnimationFrame);
const COLOURS = [RED, GREEN, BLUE];

describe('the frames of an embed', () => {
  let network: FakeNetwork;
  let container: HTMLElement;
  let root: ShadowRoot;
  let embedded: Embed | undefined;
  let said: FromEmbed[];
  let sent: number;

  beforeEach(() => {
    network = new FakeNetwork();
    container = document.createElement('div');
    Object.assign(container.style, { width: `${WIDTH}px`, height: `${HEIGHT}px` });
    document.body.append(container);
    root = container.attachShadow({ mode: 'open' });
    said = [];
    sent = 0;
  });
  afterEach(() => {
    embedded?.destroy();
    container.remove();
    network.restore();
  });

  async function start(options: EmbedOptions = {}): Promise<void> {
    const opened = network.opened();
    embedded = embed(root, 'https://host.example/session?token=t', (message) => said.push(message), options);
    await opened;
    network.host.last.welcome({ width: WIDTH, height: HEIGHT });
  }

  /**
   * Sends a stream of this many frames, two per animation frame. Each has another colour than the one before.
   */
  async function play(pictures: number): Promise<void> {
    const stream = ++sent;
    const colours = Array.from({ length: pictures }, (_, at) => COLOURS[at % COLOURS.length] ?? RED);
    const packets = await h264Packets(colours, stream);
    network.host.last.send(streamInfo({ stream }));
    for (const [at, packet] of packets.entries()) {
      sendPacket(network.host.last, packet);
      if (at % 2 === 1) await nextFrame();
    }
  }

  const videoOf = () => root.querySelector('video')!;

  /** A texture that has been given a picture, read back. */
  function makeTexture(): { upload: (source: TexImageSource) => void; read: () => Colour } {
    const gl = new OffscreenCanvas(4, 4).getContext('webgl2')!;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    return {
      upload: (source) => gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, source),
      read: () => {
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
        const read = new Uint8Array(4);
        gl.readPixels(20, 20, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, read);
        return [read[0] ?? 0, read[1] ?? 0, read[2] ?? 0];
      },
    };
  }

  // Proves: option frameCb
  it('can be uploaded one animation frame late, and none of 500 is black', async function () {
    this.timeout(60_000);
    const { upload, read } = makeTexture();
    let uploads = 0;
    let black = 0;
    await start({
      frameCb: (frame) => {
        requestAnimationFrame(() => {
          upload(frame);
          uploads += 1;
          if (!COLOURS.some((colour) => isNear(read(), colour))) black += 1;
        });
      },
    });
    while (uploads < 500) await play(60);
    equal(black, 0);
  });

  // Proves: option frameCb
  it('stay open for a page that keeps the first frame of a size', async () => {
    const firsts: ImageBitmap[] = [];
    await start({ frameCb: (frame) => firsts.length === 0 && firsts.push(frame as ImageBitmap) });
    await play(200);
    const canvas = document.createElement('canvas');
    const [first] = firsts;
    ok(first);
    equal([first.width, first.height], [WIDTH, HEIGHT]);
    canvas.getContext('2d')?.drawImage(first, 0, 0);
    ok(isNear(pixel(canvas, 20, 20), RED));
  });

  it('stay valid after the embed was destroyed', async () => {
    let last: ImageBitmap | undefined;
    await start({ frameCb: (frame) => (last = frame as ImageBitmap) });
    while (!last) await play(3);
    embedded?.destroy();
    equal([last.width, last.height], [WIDTH, HEIGHT]);
  });

  // Proves: option frameCb
  it('are always the same <video> in browsers that cannot read tracks', async () => {
    const scope = globalThis as { MediaStreamTrackProcessor?: unknown };
    const processor = scope.MediaStreamTrackProcessor;
    delete scope.MediaStreamTrackProcessor;
    try {
      const given: unknown[] = [];
      const { upload, read } = makeTexture();
      const seen = new Set<number>();
      await start({
        frameCb: (frame) => {
          given.push(frame);
          const video = frame as HTMLVideoElement;
          ok(video.videoWidth === WIDTH);
          upload(video);
          seen.add(COLOURS.findIndex((colour) => isNear(read(), colour)));
        },
      });
      while (![0, 1, 2].every((colour) => seen.has(colour))) await play(12);
      equal(new Set(given).size, 1);
      ok(given[0] === videoOf());
    } finally {
      scope.MediaStreamTrackProcessor = processor;
    }
  });

  // Proves: option frameCb
  it('are not shown if the page draws them itself', async () => {
    await start({ frameCb: () => undefined });
    await play(3);
    for (const element of [videoOf(), root.querySelector('canvas')!])
      equal(getComputedStyle(element).opacity, '0');
    embedded?.destroy();
    await start();
    for (const element of [videoOf(), root.querySelector('canvas')!])
      equal(getComputedStyle(element).opacity, '1');
  });

  // Proves: page: #vid
  it('play in the <video> only after the client could add its listeners', async () => {
    await start();
    // The client's promise is settled by this message, and its page goes on in the same task.
    ok(said.some((message) => 'type' in message && message.type === 'connection'));
    ok(videoOf().paused);
    const played = new Promise((resolve) => videoOf().addEventListener('play', resolve));
    await play(3);
    await played;
  });
});

import { setViewport } from '@web/test-runner-commands';
import { CloudBrowserClient, DisconnectedError } from '../../../src/core/index.js';
import {
  createViewer,
  type Viewer,
  type ViewerEvents,
  type ViewerOptions,
} from '../../../src/viewer/index.js';
import { FakeHost } from '../../fakes/fake-host.js';
import { equal, ok, rejected } from '../support/assert.js';
import { sendPacket } from '../support/fake-web-socket.js';
import {
  GREEN,
  h264Packets,
  HEIGHT,
  jpegPacket,
  RED,
  streamInfo,
  untilPixel,
  WIDTH,
} from '../support/packets.js';

const nextFrame = () => new Promise(requestAnimationFrame);

describe('a viewer', () => {
  let host: FakeHost;
  let client: CloudBrowserClient;
  let container: HTMLElement;
  let viewer: Viewer;

  beforeEach(async () => {
    await setViewport({ width: 800, height: 600 });
    host = new FakeHost();
    client = new CloudBrowserClient({
      embedUrl: 'https://host.example/session?token=t',
      media: ['h264', 'image'],
      createSocket: host.createSocket,
    });
    container = document.createElement('div');
    Object.assign(container.style, { position: 'fixed', inset: '0 auto auto 0', width: `${WIDTH * 2}px` });
    container.style.height = `${HEIGHT * 3}px`;
    document.body.append(container);
  });

  afterEach(() => {
    viewer.close();
    client.disconnect();
    container.remove();
  });

  async function view(options: Partial<ViewerOptions> = {}): Promise<void> {
    viewer = createViewer({ container, client, ...options });
    const connected = viewer.connect();
    while (host.connections.length === 0) await nextFrame();
    host.last.welcome({ width: WIDTH, height: HEIGHT });
    await connected;
  }

  const next = <Name extends keyof ViewerEvents>(name: Name) =>
    new Promise<ViewerEvents[Name][0]>((resolve) => viewer.once(name, resolve));

  async function show(colour = RED): Promise<void> {
    const painted = next('painted');
    host.last.send(streamInfo());
    for (const each of await h264Packets([colour])) sendPacket(host.last, each);
    await painted;
  }

  async function failToDecode(media: 'h264-444' | 'h264'): Promise<void> {
    const [key] = await h264Packets([RED]);
    const [connection] = host.connections;
    ok(key && connection);
    host.last.send(streamInfo({ media, codec: 'avc1.FFFFFF' }));
    for (const frame of [0, 1, 2]) {
      sendPacket(connection, { ...key, frame });
      while (!connection.inputs.some((event) => event.type === 'ack' && event.frame === frame))
        await nextFrame();
    }
  }

  it('shows the pictures of the host and acknowledges them', async () => {
    await view();
    const resized = next('resize');
    await show(GREEN);
    equal(await resized, { width: WIDTH, height: HEIGHT });
    await untilPixel(viewer.canvas, 5, 5, GREEN);
    equal(host.last.inputs, [{ type: 'ack', stream: 1, frame: 0 }]);
    equal([viewer.stats().media, viewer.stats().width, viewer.stats().framesPainted], ['h264', WIDTH, 1]);
  });

  it('logs one warning if a pinch would zoom the embedding page', async () => {
    const warn = console.warn;
    const said: string[] = [];
    console.warn = (text: string) => said.push(text);
    try {
      for (let time = 0; time < 2; time++) {
        viewer = createViewer({ container, client });
        const connected = viewer.connect();
        while (host.connections.length === time) await nextFrame();
        host.last.welcome({ width: WIDTH, height: HEIGHT, pinch: true });
        await connected;
        viewer.close();
        client.disconnect();
      }
    } finally {
      console.warn = warn;
    }
    equal(said.length, 1);
    ok(said[0]?.includes('user-scalable=no'), 'it says what to write');
  });

  it('sends input in remote pixels', async () => {
    await view({ fit: 'fill' });
    await show();
    const pointer = { clientX: 40, clientY: 60, button: 0, buttons: 1, bubbles: true, cancelable: true };
    container.dispatchEvent(new MouseEvent('mousedown', pointer));
    container.dispatchEvent(new MouseEvent('mouseup', { ...pointer, buttons: 0 }));
    const buttons = host.last.inputs.filter((event) => event.type === 'button');
    equal(
      buttons.map(({ x, y, pressed }) => [x, y, pressed]),
      [
        [20, 20, true],
        [20, 20, false],
      ],
    );
  });

  it('follows a drag past the edge in the proportions of each direction', async () => {
    await view({ fit: 'fill' });
    await show();
    const held = { button: 0, buttons: 1, bubbles: true, cancelable: true };
    container.dispatchEvent(new MouseEvent('mousedown', { ...held, clientX: 40, clientY: 60 }));
    window.dispatchEvent(new MouseEvent('mouseup', { ...held, buttons: 0, clientX: 1000, clientY: 90 }));
    const lifted = host.last.inputs.at(-1);
    equal(lifted?.type === 'button' && [lifted.x, lifted.y, lifted.pressed], [WIDTH - 1, 30, false]);
  });

  it('sends the size of its container while the session follows it, and null afterwards', async () => {
    const boxes = () => host.last.of('box').map(({ box }) => box && `${box.width}x${box.height}`);
    await view({ resize: 'auto' });
    const box = `${WIDTH * 2}x${HEIGHT * 3}`;
    const untilBoxes = async (...expected: (string | null)[]) => {
      while (boxes().length < expected.length) await nextFrame();
      equal(boxes(), expected);
    };
    await untilBoxes(box);
    viewer.viewOnly = true;
    equal(boxes(), [box, null]);
    viewer.viewOnly = false;
    await untilBoxes(box, null, box);
    viewer.resizeMode = 'none';
    equal(boxes(), [box, null, box, null]);
    // A pending size is never sent.
    viewer.resizeMode = 'auto';
    viewer.resizeMode = 'none';
    viewer.resizeMode = 'auto';
    await untilBoxes(box, null, box, null, box);
    viewer.close();
    equal(boxes().slice(4), [box, null]);
  });

  it('shows a high-resolution pointer at the size of its page', async () => {
    await view();
    host.last.send({ type: 'screen', pixelRatio: 2 });
    const url =
      'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';
    host.last.send({ type: 'cursor', shape: 'image', url, width: 48, height: 48, hotX: 10, hotY: 14 });
    while (!container.style.cursor.includes('image-set')) await nextFrame();
    ok(/2(x|dppx)\) 5 7, default$/.test(container.style.cursor), container.style.cursor);
  });

  it('sends no input if it is view-only', async () => {
    await view({ viewOnly: true });
    await show();
    container.dispatchEvent(new MouseEvent('mousedown', { clientX: 100, clientY: 180, bubbles: true }));
    equal(
      host.last.inputs.map(({ type }) => type),
      ['ack'],
    );
    viewer.viewOnly = false;
    equal(viewer.viewOnly, false);
  });

  it('reports that the keyboard of a phone closes when it becomes view-only', async () => {
    await view();
    const opened: boolean[] = [];
    viewer.on('keyboard', (open) => opened.push(open && viewer.keyboardOpen));
    viewer.showKeyboard();
    equal(opened, [true]);
    viewer.viewOnly = true;
    equal([opened, viewer.keyboardOpen], [[true, false], false]);
  });

  it('pastes nothing if it becomes view-only while the clipboard is read', async () => {
    await view();
    let answer: (items: ClipboardItem[]) => void = () => undefined;
    const read = () => new Promise<ClipboardItem[]>((resolve) => (answer = resolve));
    Object.defineProperty(navigator.clipboard, 'read', { value: read, configurable: true });
    try {
      const sent = () => host.last.inputs.filter(({ type }) => type === 'paste' || type === 'text').length;
      for (const viewOnly of [true, false]) {
        const pasted = viewer.clipboard.paste();
        viewer.viewOnly = viewOnly;
        answer([new ClipboardItem({ 'text/plain': new Blob(['secret'], { type: 'text/plain' }) })]);
        await pasted;
        await nextFrame();
        equal(sent(), viewOnly ? 0 : 1);
        viewer.viewOnly = false;
      }
    } finally {
      Reflect.deleteProperty(navigator.clipboard, 'read');
    }
  });

  it("shows the remote pointer's shape", async () => {
    await view();
    host.last.send({ type: 'cursor', shape: 'none' });
    equal(container.style.cursor, 'none');
    viewer.viewOnly = true;
    equal(container.style.cursor, '');
  });

  it('requests no frames while it is paused, and requests them again afterwards', async () => {
    await view();
    viewer.videoPaused = true;
    viewer.videoPaused = false;
    equal(
      host.last.of('visible').map(({ visible }) => visible),
      [false, true],
    );
  });

  it('requests sound unless it is muted, and none after it was closed', async () => {
    await view({ volume: 0 });
    const asked = () => host.last.of('sound').map(({ on }) => on);
    equal(asked(), []);
    viewer.volume = 0.5;
    equal(asked(), [true]);
    viewer.volume = 0;
    equal(asked(), [true, false]);
    viewer.volume = 1;
    for (const wrong of [-0.1, 1.1, NaN]) {
      const error = await rejected(Promise.resolve().then(() => (viewer.volume = wrong)));
      ok(error instanceof RangeError);
    }
    equal(viewer.volume, 1);
    viewer.close();
    equal(asked(), [true, false, true, false]);
  });

  it('provides each picture at its visible size for canvases of the page', async () => {
    await view();
    const sizes: number[][] = [];
    let kept: VideoFrame | undefined;
    viewer.on('frame', (image) => {
      if (!('displayWidth' in image)) return;
      sizes.push([image.displayWidth, image.displayHeight]);
      kept = image.clone();
    });
    await show(GREEN);
    equal(sizes, [[WIDTH, HEIGHT]]);
    const canvas = new OffscreenCanvas(WIDTH, HEIGHT);
    if (kept) canvas.getContext('2d')?.drawImage(kept, 0, 0);
    kept?.close();
    await untilPixel(canvas as unknown as HTMLCanvasElement, WIDTH - 4, HEIGHT - 4, GREEN);
  });

  it('finds the page position of a point of the remote screen', async () => {
    await view();
    await show();
    equal(viewer.toClient(0.5, 0), { x: WIDTH, y: HEIGHT / 2 });
  });

  it('sends input from scripts even if it is view-only', async () => {
    await view({ viewOnly: true });
    viewer.sendEvent({ type: 'mousedown', x: 0.5, y: 0.5 });
    const [button] = host.last.inputs;
    equal(button?.type === 'button' && [button.x, button.y, button.pressed], [80, 60, true]);
  });

  // Proves: page: a hidden page
  it('requests no frames while it is out of sight', async () => {
    await view();
    const told = new Promise<boolean>((resolve) => {
      const setVisible = client.setVisible.bind(client);
      client.setVisible = (visible) => {
        setVisible(visible);
        resolve(visible);
      };
    });
    container.style.display = 'none';
    equal(await told, false);
    equal(host.last.of('visible'), [{ type: 'visible', visible: false }]);
  });

  it('requests frames from a client whose earlier viewer was paused', async () => {
    await view();
    viewer.videoPaused = true;
    viewer.close();
    viewer = createViewer({ container, client });
    equal(
      host.last.of('visible').map(({ visible }) => visible),
      [false, true],
    );
  });

  it('requests a key frame when it joins a client that is already playing', async () => {
    const connected = client.connect();
    host.last.welcome();
    await connected;
    host.last.send(streamInfo());
    viewer = createViewer({ container, client });
    await viewer.connect();
    equal(host.last.of('key-frame'), [{ type: 'key-frame', stream: 1 }]);
  });

  describe('that is still detecting the media', () => {
    beforeEach(() => {
      client = new CloudBrowserClient({
        embedUrl: 'https://host.example/session?token=t',
        media: ['h264', 'image'],
        createSocket: (...options) => {
          const socket = host.createSocket(...options);
          queueMicrotask(() => host.last.welcome());
          return socket;
        },
      });
      viewer = createViewer({ container, client });
    });

    it('does not connect after it was closed', async () => {
      const connected = viewer.connect();
      viewer.close();
      ok((await rejected(connected)) instanceof DisconnectedError);
      equal([client.state, host.connections.length], ['idle', 0]);
    });

    it('does not connect again after the client was disconnected', async () => {
      void client.connect();
      const connected = viewer.connect();
      client.disconnect();
      ok((await rejected(connected)) instanceof DisconnectedError);
      equal([client.state, host.connections.length], ['closed', 1]);
    });
  });

  it('falls back to images if video cannot be decoded', async () => {
    await view();
    const noticed = next('images');
    await failToDecode('h264');
    equal((await noticed).cause, 'decoder-failed');
    equal(host.connections.length, 2);
    host.last.welcome();
    equal(host.last.of('hello')[0]?.media, ['image']);
    host.last.send(streamInfo({ media: 'image', codec: '' }));
    sendPacket(host.last, await jpegPacket(GREEN, 0));
    await untilPixel(viewer.canvas, 5, 5, GREEN);
  });

  it('falls back to reduced colour if full colour cannot be decoded', async () => {
    await view();
    await failToDecode('h264-444');
    equal(host.connections.length, 2);
    host.last.welcome();
    equal(host.last.of('hello')[0]?.media, ['h264', 'image']);
    equal(viewer.imageNotice, undefined);
    await show(GREEN);
    await untilPixel(viewer.canvas, 5, 5, GREEN);
  });

  it("leaves the container and the caller's client unchanged when it is closed", async () => {
    await view();
    await show();
    viewer.close();
    equal(container.childElementCount, 0);
    equal(client.state, 'playing');
  });

  it('paints into a canvas that the caller provides', async () => {
    const canvas = container.appendChild(document.createElement('canvas'));
    await view({ canvas });
    await show(GREEN);
    await untilPixel(canvas, 5, 5, GREEN);
  });
});

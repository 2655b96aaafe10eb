import { CloudBrowserClient } from '../../../src/core/index.js';
import { createViewer, type Viewer } from '../../../src/viewer/index.js';
import { FakeHost } from '../../fakes/fake-host.js';
import { equal, ok } from '../support/assert.js';
import { HEIGHT, WIDTH } from '../support/packets.js';

const nextFrame = () => new Promise(requestAnimationFrame);

describe('a file that is pasted into a viewer', () => {
  let host: FakeHost;
  let container: HTMLElement;
  let viewer: Viewer;
  beforeEach(async () => {
    host = new FakeHost();
    const embedUrl = 'https://host.example/session?token=t';
    const client = new CloudBrowserClient({ embedUrl, media: ['image'], createSocket: host.createSocket });
    container = document.body.appendChild(document.createElement('div'));
    viewer = createViewer({ container, client });
    const connected = viewer.connect();
    while (host.connections.length === 0) await nextFrame();
    host.last.welcome({ width: WIDTH, height: HEIGHT, clipboard: true });
    await connected;
    while (!container.querySelector('textarea')) await nextFrame();
  });
  afterEach(() => {
    viewer.close();
    container.remove();
  });

  function paste(file: Blob, name: string): void {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([file], name, { type: file.type }));
    const paste = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData });
    container.querySelector('textarea')?.dispatchEvent(paste);
  }

  async function until<T>(what: () => T | undefined): Promise<T> {
    for (;;) {
      const found = what();
      if (found !== undefined) return found;
      await nextFrame();
    }
  }

  it('is sent as PNG if it is another picture', async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 3, height: 2 });
    canvas.getContext('2d')?.fillRect(0, 0, 3, 2);
    const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg'));
    ok(jpeg?.type === 'image/jpeg', 'this browser makes JPEG');
    paste(jpeg, 'photo.jpg');
    const offer = await until(() => host.last.messages.find(({ type }) => type === 'clipboard-offer'));
    equal(offer.type === 'clipboard-offer' && offer.parts.map(({ type }) => type), ['image/png']);
    equal(viewer.clipboard.state, undefined);
  });

  for (const [name, type] of [
    ['letter.pdf', 'application/pdf'],
    ['broken.jpg', 'image/jpeg'],
  ] as const)
    it(`is refused with a message, and the remote clipboard is not pasted: ${name}`, async () => {
      paste(new Blob(['x'], { type }), name);
      const { state, code } = await until(() => viewer.clipboard.state);
      equal([state, code], ['failed', 'files']);
      equal(host.last.inputs, []);
    });
});

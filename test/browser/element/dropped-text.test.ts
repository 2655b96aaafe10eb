import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import '../../../src/element/playing/playing-views.js';
import '../../../src/element/files/file-link.js';
import { fromUtf8 } from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';
import { settled } from '../support/connected-element.js';
import { nextEvent } from '../support/events.js';
import { FakeNetwork, sendPacket } from '../support/fake-web-socket.js';
import { GREEN, h264Packets, HEIGHT, streamInfo, WIDTH } from '../support/packets.js';

/** Pixel in the middle of the remote screen. */
const CENTER = [Math.floor(WIDTH / 2), Math.floor(HEIGHT / 2)];

describe('text or a link that is dropped on <cloud-browser>', () => {
  let network: FakeNetwork;
  let element: CloudBrowserElement;
  let surface: HTMLElement;
  beforeEach(async () => {
    network = new FakeNetwork();
    element = document.createElement('cloud-browser');
    Object.assign(element.style, {
      position: 'fixed',
      inset: '0 auto auto 0',
      width: '640px',
      height: '480px',
    });
    const opened = network.opened();
    element.embedUrl = 'https://host.example/a?token=t';
    document.body.append(element);
    const connected = nextEvent(element, 'connect');
    (await opened).welcome({ clipboard: true });
    await connected;
    await settled(element);
    const resized = nextEvent(element, 'resize');
    network.host.last.send(streamInfo());
    for (const packet of await h264Packets([GREEN])) sendPacket(network.host.last, packet);
    await resized;
    const root = element.shadowRoot;
    surface = await until(() => root?.querySelector<HTMLElement>('[part=surface]') ?? undefined);
  });
  afterEach(() => {
    element.remove();
    network.restore();
  });

  async function until<T>(what: () => T | undefined): Promise<T> {
    for (;;) {
      const found = what();
      if (found !== undefined) return found;
      await new Promise(requestAnimationFrame);
    }
  }

  /** Drags content over the picture and drops it. Returns true if the picture accepts it. */
  function drop(data: Record<string, string>): boolean {
    const dataTransfer = new DataTransfer();
    for (const [type, text] of Object.entries(data)) dataTransfer.setData(type, text);
    const box = surface.querySelector('canvas')?.getBoundingClientRect();
    ok(box);
    const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
    const init = { bubbles: true, composed: true, cancelable: true, ...at, dataTransfer };
    const accepted = !surface.dispatchEvent(new DragEvent('dragover', init));
    return !surface.dispatchEvent(new DragEvent('drop', init)) && accepted;
  }
  const call = () => network.host.last.of('call').find(({ method }) => method === 'clipboard.drop');
  const sent = () => network.host.last.chunks.map(fromUtf8).join();

  it('is dropped at its position on the remote page', async () => {
    ok(drop({ 'text/plain': 'bold', 'text/html': '<b>bold</b>' }), 'the picture accepts it');
    equal((await until(call)).args, [1, ...CENTER, false]);
    equal(sent(), 'bold<b>bold</b>');
  });

  it('is sent as the address of the link', async () => {
    ok(drop({ 'text/uri-list': 'https://example.com/', 'text/plain': 'Example' }), 'the picture accepts it');
    equal((await until(call)).args, [1, ...CENTER, true]);
    equal(sent(), 'https://example.com/');
  });

  it('shows a message if the session refuses it', async () => {
    drop({ 'text/plain': 'x' });
    const { id } = await until(call);
    const error = { code: 'err_drop_refused', message: 'No.' } as const;
    network.host.last.send({ type: 'answer', id, error });
    const message = () => element.shadowRoot?.querySelector('[part=copy] span')?.textContent;
    equal(await until(message), 'No page accepted this here. Drop it elsewhere, or ask for control first.');
  });

  it('stays with the page if it is something else, or the element is view-only', async () => {
    ok(!drop({ 'application/x-card': '7' }), 'a type of the page itself');
    element.viewOnly = true;
    await element.updateComplete;
    ok(!drop({ 'text/plain': 'x' }), 'view-only');
    equal(call(), undefined);
  });
});

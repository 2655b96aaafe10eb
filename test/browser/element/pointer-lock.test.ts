import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { equal, ok } from '../support/assert.js';
import { connectElement } from '../support/connected-element.js';
import { FakeNetwork, sendPacket } from '../support/fake-web-socket.js';
import { h264Packets, RED, streamInfo } from '../support/packets.js';

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

describe('the locked pointer of <cloud-browser>', () => {
  let network: FakeNetwork;
  let element: CloudBrowserElement;
  let surface: HTMLElement;
  let locked = false;

  beforeEach(async () => {
    network = new FakeNetwork();
    element = await connectElement(network);
    const root = element.shadowRoot;
    const found = root?.querySelector<HTMLElement>('.surface');
    ok(root && found);
    surface = found;
    // Browsers lock the pointer only after a gesture of the user.
    Object.defineProperty(root, 'pointerLockElement', { get: () => (locked ? surface : null) });
    Object.defineProperty(document, 'exitPointerLock', { value: () => (locked = false), configurable: true });
    const painted = new Promise((resolve) => element.viewer?.once('painted', resolve));
    network.host.last.send(streamInfo());
    for (const each of await h264Packets([RED])) sendPacket(network.host.last, each);
    await painted;
    const asked = new Promise<void>((resolve) => {
      surface.requestPointerLock = () => {
        locked = true;
        resolve();
        return Promise.resolve();
      };
    });
    network.host.last.send({ type: 'pointer-lock', locked: true });
    await asked;
  });

  afterEach(() => {
    element.remove();
    Reflect.deleteProperty(document, 'exitPointerLock');
    locked = false;
    network.restore();
  });

  const move = () => surface.dispatchEvent(new MouseEvent('mousemove', { movementX: 40, bubbles: true }));
  const moves = () => network.host.last.inputs.filter(({ type }) => type === 'relative').length;

  it('sends movements', async () => {
    move();
    await nextFrame();
    equal(moves(), 1);
  });

  it('sends nothing and is unlocked when the element becomes view-only', async () => {
    move();
    element.viewOnly = true;
    await element.updateComplete;
    move();
    await nextFrame();
    equal([moves(), locked], [0, false]);
  });

  it('is not ended in the remote browser by an element that is view-only', async () => {
    document.dispatchEvent(new Event('pointerlockchange'));
    element.viewOnly = true;
    await element.updateComplete;
    move();
    document.dispatchEvent(new Event('pointerlockchange'));
    equal([locked, network.host.last.of('leave-pointer-lock').length], [false, 0]);
  });
});

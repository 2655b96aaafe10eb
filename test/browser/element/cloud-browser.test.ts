import { sendKeys } from '@web/test-runner-commands';
import axe from './axe.js';
import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import { closeCodeOf } from '../../../src/protocol/index.js';
import { equal, ok, rejected } from '../support/assert.js';
import { settled } from '../support/connected-element.js';
import { nextEvent } from '../support/events.js';
import { FakeNetwork, sendPacket } from '../support/fake-web-socket.js';
import { GREEN, h264Packets, HEIGHT, streamInfo, WIDTH } from '../support/packets.js';

const URL_A = 'https://host.example/a?token=t';
const URL_B = 'https://host.example/b?token=t';

describe('<cloud-browser>', () => {
  let network: FakeNetwork;
  let element: CloudBrowserElement;

  beforeEach(() => {
    network = new FakeNetwork();
    element = document.createElement('cloud-browser');
  });

  afterEach(() => {
    element.remove();
    network.restore();
  });

  /** Inserts the element and lets the fake host accept its connection. */
  async function play(): Promise<void> {
    const opened = network.opened();
    element.setAttribute('embed-url', URL_A);
    document.body.append(element);
    const connected = nextEvent(element, 'connect');
    (await opened).welcome({ width: WIDTH, height: HEIGHT });
    await connected;
    await settled(element);
  }

  const shadow = (selector: string) => element.shadowRoot?.querySelector<HTMLElement>(selector) ?? undefined;
  const status = () => shadow('[part=status]')?.textContent.replace(/\s+/g, ' ').trim();

  it('connects when it is added to a document with an embed URL', async () => {
    await play();
    equal(network.host.last.url, 'wss://host.example/a?token=t');
    equal([element.state, element.userId, status()], ['playing', 'user-1', '']);
  });

  it('does nothing without an embed URL', async () => {
    document.body.append(element);
    await element.updateComplete;
    equal([element.state, network.host.connections.length], ['idle', 0]);
    ok(element.matches(':state(idle)'));
    equal((await rejected(element.connect())).name, 'NotConnectedError');
  });

  it('reports every state by event, property and custom state', async () => {
    const steps: string[] = [];
    element.addEventListener('statechange', ({ state, previous }) => {
      ok(element.matches(`:state(${state})`) && !element.matches(`:state(${previous})`));
      steps.push(state);
    });
    await play();
    network.host.last.close();
    await element.updateComplete;
    equal(status(), 'Reconnecting…');
    element.disconnect();
    equal(steps, ['connecting', 'playing', 'reconnecting', 'closed']);
  });

  it('shows the picture and its size', async () => {
    await play();
    const resized = nextEvent(element, 'resize');
    network.host.last.send(streamInfo());
    for (const each of await h264Packets([GREEN])) sendPacket(network.host.last, each);
    const { width, height } = await resized;
    equal([width, height], [WIDTH, HEIGHT]);
    equal(element.stats?.media, 'h264');
  });

  it('covers the picture while another user has privacy mode', async () => {
    await play();
    const changed = nextEvent(element, 'privacychange');
    network.host.last.send({ type: 'privacy', userId: 'user-2', elapsed: 60_000, remaining: null });
    const { userId, shutOut, since } = await changed;
    ok(since && Date.now() - since.getTime() >= 60_000);
    await element.updateComplete;
    equal([userId, shutOut], ['user-2', true]);
    ok(element.matches(':state(private)') && status()?.startsWith('Private for now'));
    ok(/Since \d+:\d+.*by user user-2/.test(status() ?? ''));
    equal((await axe.run(element)).violations, []);
    network.host.last.send({ type: 'privacy', userId: 'user-1' });
    await element.updateComplete;
    ok(!element.matches(':state(private)'));
    equal(status(), '');
  });

  it('names the user in privacy mode by the whole id of the token, or by the first part of a generated id', async () => {
    await play();
    const named = async (userId: string) => {
      network.host.last.send({ type: 'privacy', userId, elapsed: 60_000, remaining: null });
      await element.updateComplete;
      return /by user (.*)\.$/.exec(status() ?? '')?.[1];
    };
    equal(await named('customer-of-the-shop-42'), 'customer-of-the-shop-42');
    equal(await named('3f2b8c1d-0a4e-4b6f-9c7d-1e2f3a4b5c6d'), '3f2b8c1d');
  });

  it('warns the user whose privacy mode ends soon, and renews it only when the user clicks', async () => {
    await play();
    const warned = nextEvent(element, 'privacychange');
    const own = { type: 'privacy', userId: 'user-1', elapsed: 540_000, remaining: 60_000 } as const;
    network.host.last.send({ ...own, ending: true });
    const { shutOut, ending } = await warned;
    equal([shutOut, ending], [false, true]);
    await settled(element);
    ok(shadow('[part~=privacy]')?.textContent.includes('The others will see this browser again.'));
    equal((await axe.run(element)).violations, []);
    const calls = (): unknown[] =>
      network.host.last.messages.filter((message) => message.type === 'call').map(({ method }) => method);
    ok(!calls().includes('enablePrivacyMode'));
    shadow('[part~=renew]')?.click();
    ok(calls().includes('enablePrivacyMode'));
    network.host.last.send({ ...own, remaining: 600_000 });
    await element.updateComplete;
    equal(shadow('[part~=privacy]'), undefined);
  });

  it('shows each notice of the session, one after the other', async () => {
    await play();
    for (const kind of ['browser-crashed', 'page-crashed'] as const) {
      const message = `What ${kind} means.`;
      const told = nextEvent(element, 'notice');
      network.host.last.send({ type: 'notice', kind, message });
      const event = await told;
      await element.updateComplete;
      equal([event.kind, event.message, status()], [kind, message, message]);
    }
    equal(shadow('[part=status]')?.getAttribute('role'), 'status');
    equal((await axe.run(element)).violations, []);
  });

  it('sends calls with the current admin token, set before or after connecting', async () => {
    element.adminToken = 'first';
    await play();
    void element.client?.users.list().catch(() => undefined);
    element.adminToken = 'second';
    await element.updateComplete;
    void element.client?.users.list().catch(() => undefined);
    equal(
      network.host.last
        .of('call')
        .filter(({ method }) => method === 'users.list')
        .map(({ adminToken }) => adminToken),
      ['first', 'second'],
    );
  });

  it('sends its newest user data when it reconnects by itself', async () => {
    element.userdata = { ticket: 'first' };
    await play();
    element.userdata = { ticket: 'second' };
    await element.updateComplete;
    const opened = network.opened();
    network.host.last.close();
    const second = await opened;
    second.welcome();
    equal(second.of('hello')[0]?.userdata, { ticket: 'second' });
  });

  it('dispatches its viewer before it connects, and the viewer follows its properties', async () => {
    const made = nextEvent(element, 'viewer');
    element.delegateKeyboard = true;
    element.videoPaused = true;
    void play();
    const { viewer } = await made;
    equal([viewer.client.state, viewer.keyboard, viewer.videoPaused], ['connecting', 'page', true]);
    ok(element.viewer === viewer);
    element.removeAttribute('delegate-keyboard');
    element.videoPaused = false;
    await element.updateComplete;
    equal([viewer.keyboard, viewer.videoPaused], ['surface', false]);
  });

  it('has the volume that its attributes set', async () => {
    await play();
    const { viewer } = element;
    ok(viewer);
    equal([element.volume, element.muted, viewer.volume], [1, false, 1]);
    for (const [volume, heard] of [
      ['0.25', 0.25],
      ['7', 1],
      ['loud', 1],
    ] as const) {
      element.setAttribute('volume', volume);
      await element.updateComplete;
      equal(viewer.volume, heard);
    }
    element.volume = 0.5;
    element.muted = true;
    await element.updateComplete;
    equal([viewer.volume, element.hasAttribute('muted')], [0, true]);
    element.muted = false;
    await element.updateComplete;
    equal(viewer.volume, 0.5);
  });

  it('sends input from a script', async () => {
    await play();
    element.sendEvent({ type: 'keydown', key: 'a' });
    equal(
      network.host.last.inputs.map((event) => event.type === 'key' && event.key),
      ['a'],
    );
  });

  it('reports its statistics about once a second', async () => {
    await play();
    const { stats } = await nextEvent(element, 'stats');
    equal(stats.framesPainted, 0);
  });

  it('explains in plain words why a session has ended', async () => {
    await play();
    const over = nextEvent(element, 'disconnect');
    network.host.last.close(closeCodeOf('inactive'));
    equal((await over).reason, 'inactive');
    await element.updateComplete;
    equal(status(), 'Session ended Nobody used this browser for a while. Start again Close');
    ok(element.matches(':state(closed)'));
  });

  it('tells developers the fault of an embed URL, and tells users what to do', async () => {
    const failed = nextEvent(element, 'error');
    element.embedUrl = 'nonsense';
    document.body.append(element);
    const { error } = await failed;
    equal([error.name, error.message.includes('nonsense')], ['EmbedUrlError', true]);
    await element.updateComplete;
    ok(status()?.includes('This address cannot be opened.') && !status()?.includes('nonsense'));
    equal(element.state, 'failed');
  });

  it('connects again when the user presses the retry button', async () => {
    await play();
    element.embedUrl = 'nonsense';
    await nextEvent(element, 'error');
    await element.updateComplete;
    const again = nextEvent(element, 'statechange');
    shadow('[part~=retry]')?.click();
    equal((await again).state, 'connecting');
  });

  it('switches to another session when its embed URL changes', async () => {
    await play();
    const [first] = network.host.connections;
    const opened = network.opened();
    element.embedUrl = URL_B;
    const second = await opened;
    equal([first?.closed, second.url], [true, 'wss://host.example/b?token=t']);
    equal(second.of('hello'), []);
    second.welcome({ userId: 'user-2' });
    equal(element.userId, 'user-2');
  });

  it('does not report the session of its previous address, even if the page connects it', async () => {
    await play();
    const { client: previous } = element;
    ok(previous);
    const [first] = network.host.connections;
    for (const { id } of first?.of('call') ?? []) first?.send({ type: 'answer', id, result: [] });
    const reopened = network.opened();
    element.embedUrl = URL_B;
    (await reopened).welcome({ userId: 'user-2' });
    await settled(element);
    const told: string[] = [];
    const types = ['statechange', 'connect', 'disconnect', 'notice', 'closewarning', 'download'] as const;
    for (const type of types) element.addEventListener(type, () => told.push(type));
    const opened = network.opened();
    const connected = previous.connect();
    const connection = await opened;
    connection.welcome();
    await connected;
    connection.send({ type: 'notice', kind: 'page-crashed', message: 'The page crashed.' });
    connection.send({ type: 'close-warning', kind: 'inactive', delay: 60_000 });
    const file = { id: 'a', name: 'a.txt', kind: 'download', size: 1, received: 1, state: 'done' } as const;
    connection.send({ type: 'event', name: 'files.onDownload', args: [file] });
    previous.disconnect();
    await settled(element);
    equal([told, element.state, status()], [[], 'playing', '']);
    equal(shadow('[part~=stay]'), undefined);
  });

  it('connects to the last of several addresses', async () => {
    document.body.append(element);
    element.embedUrl = URL_A;
    await element.updateComplete;
    const opened = network.opened();
    element.embedUrl = URL_B;
    equal((await opened).url, 'wss://host.example/b?token=t');
    equal(network.host.connections.length, 1);
  });

  it('disconnects when it is removed, and returns as the same user', async () => {
    await play();
    const [first] = network.host.connections;
    const left = nextEvent(element, 'disconnect');
    element.remove();
    equal((await left).reason, 'removed');
    equal(first?.closed, true);
    const opened = network.opened();
    document.body.append(element);
    const second = await opened;
    second.welcome();
    equal(second.of('hello')[0]?.resume, { userId: 'user-1', secret: 'secret-1' });
  });

  it('stays disconnected when it is removed while it connects', async () => {
    const opened = network.opened();
    element.embedUrl = URL_A;
    document.body.append(element);
    await opened;
    const connected = rejected(element.connect());
    element.remove();
    const again = network.opened();
    equal(await Promise.race([again, connected.then(() => 'rejected')]), 'rejected');
    equal([element.state, network.host.connections.length], ['closed', 1]);
  });

  it('reports its reason for leaving: another address, or its own page', async () => {
    await play();
    const changed = nextEvent(element, 'disconnect');
    element.embedUrl = URL_B;
    equal((await changed).reason, 'url_changed');
    (await network.opened()).welcome();
    const left = nextEvent(element, 'disconnect');
    element.disconnect();
    equal((await left).reason, 'disconnected');
  });

  it('keeps its connection when it is moved in the document', async () => {
    await play();
    const place = document.body.appendChild(document.createElement('div'));
    place.append(element);
    await element.updateComplete;
    await Promise.resolve();
    equal([element.state, network.host.connections.length], ['playing', 1]);
    element.remove();
    place.remove();
  });

  it('keeps its countdown and its message when it is moved in the document', async () => {
    await play();
    network.host.last.send({ type: 'close-warning', kind: 'inactive', delay: 60_000 });
    element.notify('Saved');
    await settled(element);
    const place = document.body.appendChild(document.createElement('div'));
    place.append(element);
    await settled(element);
    ok(shadow('[part~=stay]'));
    equal(status(), 'Saved');
    element.remove();
    place.remove();
  });

  it('does not connect if it is removed while connect() waits', async () => {
    await play();
    element.disconnect();
    // The pending update delays the connection until after the removal.
    element.label = 'Shop';
    const connected = element.connect();
    element.remove();
    equal((await rejected(connected)).name, 'NotConnectedError');
    equal([element.state, element.viewer, network.host.connections.length], ['closed', undefined, 1]);
  });

  it('connects and disconnects by methods that return promises', async () => {
    await play();
    element.disconnect();
    equal(element.state, 'closed');
    const opened = network.opened();
    const connected = element.connect();
    (await opened).welcome();
    await connected;
    const reopened = network.opened();
    const reconnected = element.reconnect();
    (await reopened).welcome();
    await reconnected;
    equal([element.state, network.host.connections.length], ['playing', 3]);
  });

  for (const type of ['statechange', 'viewer'] as const)
    it(`does not connect if a listener for ${type} disconnects it`, async () => {
      element.addEventListener(type, () => element.disconnect(), { once: true });
      const connected = network.opened().then(() => 'connected');
      const closed = new Promise((resolve) =>
        element.addEventListener('statechange', ({ state }) => state === 'closed' && resolve(state)),
      );
      element.embedUrl = URL_A;
      document.body.append(element);
      equal(await Promise.race([connected, closed]), 'closed');
      equal([element.state, network.host.connections.length], ['closed', 0]);
    });

  it('rejects connect with the reason', async () => {
    await play();
    element.disconnect();
    const opened = network.opened();
    const connected = element.connect();
    (await opened).close(closeCodeOf('kicked'));
    ok('reason' in (await rejected(connected)));
  });

  it('sends a ping that counts as user activity', async () => {
    await play();
    const ping = element.ping();
    network.host.last.send({ type: 'pong', id: network.host.last.of('ping').at(-1)?.id ?? 0 });
    ok((await ping) >= 0);
    equal(network.host.last.of('ping').at(-1)?.active, true);
  });

  it('connects to a new address when `reconnect()` directly follows it', async () => {
    await play();
    const opened = network.opened();
    element.embedUrl = URL_B;
    const connected = element.reconnect();
    const second = await opened;
    second.welcome();
    await connected;
    equal([second.url, element.state], ['wss://host.example/b?token=t', 'playing']);
  });

  it('takes the keyboard focus, even when requested before it is ready', async () => {
    element.focus();
    await play();
    ok(document.activeElement === element);
    equal(element.shadowRoot?.activeElement?.localName, 'textarea');
  });

  it('leaves the focus in a field that the user has focused since the request', async () => {
    const field = document.createElement('input');
    document.body.append(field, element);
    await element.updateComplete;
    element.focus();
    field.focus();
    await play();
    ok(document.activeElement === field);
    field.remove();
  });

  it('leaves the focus on a button that the user has chosen since the request', async () => {
    const [field, button] = [document.createElement('input'), document.createElement('button')];
    document.body.append(field, button, element);
    await element.updateComplete;
    field.focus();
    element.focus();
    await sendKeys({ press: 'Tab' });
    ok(document.activeElement === button);
    await new Promise((resolve) => setTimeout(resolve));
    await play();
    ok(document.activeElement === button);
    field.remove();
    button.remove();
  });

  for (const [what, takes] of [
    ['forgets a request for the focus when it is removed', false],
    ['keeps a request for the focus when it is moved', true],
  ] as const)
    it(what, async () => {
      document.body.append(element);
      await element.updateComplete;
      element.focus();
      element.remove();
      if (takes) document.body.append(element);
      await Promise.resolve();
      await play();
      equal(document.activeElement === element, takes);
    });

  it('takes the focus from a button that a script has focused since the request', async () => {
    const button = document.createElement('button');
    document.body.append(button, element);
    await element.updateComplete;
    element.focus();
    button.focus();
    await play();
    ok(document.activeElement === element);
    button.remove();
  });

  it('takes the focus if the page removes the button that requested it', async () => {
    const button = document.createElement('button');
    document.body.append(button, element);
    await element.updateComplete;
    button.focus();
    element.focus();
    button.remove();
    await play();
    ok(document.activeElement === element);
  });

  it('shows the keyboard button only while it accepts input', async () => {
    element.keyboardButton = true;
    element.viewOnly = true;
    await play();
    equal(shadow('[part=keyboard]'), undefined);
    element.viewOnly = false;
    await element.updateComplete;
    ok(shadow('[part=keyboard]'));
    ok(element.viewer);
    for (const target of [element.viewer, element]) {
      target.viewOnly = true;
      await element.updateComplete;
      equal(shadow('[part=keyboard]'), undefined);
      target.viewOnly = false;
      await element.updateComplete;
      ok(shadow('[part=keyboard]'));
    }
  });

  it('lets a page replace the content over the picture', async () => {
    element.innerHTML = '<p slot="ended">Bye</p><button slot="overlay">Menu</button>';
    await play();
    const over = nextEvent(element, 'disconnect');
    network.host.last.close(closeCodeOf('ended'));
    await over;
    await element.updateComplete;
    const slot = element.shadowRoot?.querySelector<HTMLSlotElement>('slot[name=ended]');
    equal(slot?.assignedElements()[0]?.textContent, 'Bye');
  });

  it('has no inline styles in its markup, so a strict policy allows it', async () => {
    await play();
    const styled = element.shadowRoot?.innerHTML.match(/<style/g);
    equal(styled, null);
  });

  for (const name of ['connecting', 'playing', 'reconnecting', 'failed', 'closed'] as const) {
    it(`has no accessibility faults while ${name}`, async () => {
      if (name === 'failed') {
        element.embedUrl = 'nonsense';
        document.body.append(element);
        await nextEvent(element, 'error');
      } else if (name === 'connecting') {
        const opened = network.opened();
        element.embedUrl = URL_A;
        document.body.append(element);
        await opened;
      } else {
        await play();
        if (name === 'reconnecting') network.host.last.close();
        if (name === 'closed') element.disconnect();
      }
      await element.updateComplete;
      for (const animation of element.getAnimations({ subtree: true })) {
        if (animation.effect?.getComputedTiming().iterations === 1) animation.finish();
      }
      equal(element.state, name);
      const { violations } = await axe.run(element);
      equal(
        violations.map(({ id, help }) => `${id}: ${help}`),
        [],
      );
    });
  }
});

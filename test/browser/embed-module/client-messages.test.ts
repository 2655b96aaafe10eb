import { CloudBrowserClient } from '../../../src/core/index.js';
import { ClientMessages } from '../../../src/embed-module/client-messages.js';
import type { FromEmbed } from '../../../src/embed-module/messages.js';
import { closeCodeOf } from '../../../src/protocol/index.js';
import { createViewer, type Viewer } from '../../../src/viewer/index.js';
import { FakeHost } from '../../fakes/fake-host.js';
import { equal, ok } from '../support/assert.js';
import { sendPacket } from '../support/fake-web-socket.js';
import {
  GREEN,
  h264Packets,
  HEIGHT,
  isNear,
  pixel,
  streamInfo,
  WIDTH,
  type Colour,
} from '../support/packets.js';

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

describe('messages of the public client', () => {
  let host: FakeHost;
  let client: CloudBrowserClient;
  let viewer: Viewer;
  let messages: ClientMessages;
  let said: FromEmbed[];
  let answered: (answer: Extract<FromEmbed, { i: number }>) => void;

  beforeEach(() => {
    host = new FakeHost();
    said = [];
    client = new CloudBrowserClient({
      embedUrl: 'https://host.example/session?token=t',
      media: ['h264'],
      createSocket: host.createSocket,
    });
    const container = document.createElement('div');
    Object.assign(container.style, { position: 'fixed', inset: '0 auto auto 0', width: `${WIDTH * 2}px` });
    document.body.append(container);
    viewer = createViewer({ container, client, whenHidden: 'play' });
    answered = () => undefined;
    messages = new ClientMessages(
      viewer,
      (message) => {
        said.push(message);
        if ('i' in message) answered(message);
      },
      5_000,
    );
  });

  afterEach(() => {
    messages.close();
    viewer.close();
    client.disconnect();
    viewer.container.remove();
  });

  async function connect(fields: object = {}): Promise<void> {
    void client.connect();
    host.last.welcome({ width: WIDTH, height: HEIGHT, ...fields });
    await nextTask();
    said = said.filter(({ ...message }) => 'type' in message);
  }
  async function show(colour: Colour): Promise<void> {
    host.last.send(streamInfo());
    const painted = new Promise((resolve) => viewer.once('painted', resolve));
    for (const each of await h264Packets([colour])) sendPacket(host.last, each);
    await painted;
  }
  const nextAnswer = () => new Promise<Extract<FromEmbed, { i: number }>>((resolve) => (answered = resolve));
  const of = (type: string) => said.filter((message) => 'type' in message && message.type === type);
  const answers = () => said.filter((message) => 'i' in message);
  const callOf = (method: string) => host.last.of('call').find((call) => call.method === method);
  async function answer(method: string, fields: object = {}): Promise<void> {
    host.last.send({ type: 'answer', id: callOf(method)?.id ?? 0, ...fields });
    await nextTask();
  }

  it('sends sizes in the pixels of the public client', async () => {
    await connect({ width: 1280, height: 720, maxArea: 1920 * 1080, pixelRatio: 2 });
    const [connection] = said.filter(({ ...message }) => 'type' in message && message.type === 'connection');
    const data = { user_id: 'user-1', width: 640, height: 360, max_area: 518_400 };
    equal(connection, { type: 'connection', data });
  });

  it('reports the connection once, with the maximum area of the session', async () => {
    await connect({ maxArea: 1_000_000 });
    host.last.close();
    await nextTask();
    host.last.welcome();
    const size = { width: WIDTH, height: HEIGHT };
    equal(of('connection'), [
      { type: 'connection', data: { user_id: 'user-1', ...size, max_area: 1_000_000 } },
    ]);
    const states = of('connection_state').map((message) => 'data' in message && message.data);
    equal(states, [
      { state: 'connecting' },
      { state: 'playing' },
      { state: 'reconnecting' },
      { state: 'playing' },
    ]);
  });

  it('passes calls with their own token, and answers with their number', async () => {
    await connect();
    messages.handle({ m: 'tabs.query', a: [{ active: true }], i: 0, t: 'admin' });
    messages.handle({ m: 'resize', a: [800, 600], i: 1, t: undefined });
    const [query, resize] = [callOf('tabs.query'), callOf('resize')];
    equal(
      [query?.args, query?.adminToken, resize?.args, resize?.adminToken],
      [[{ active: true }], 'admin', [800, 600], undefined],
    );
    await answer('resize', { error: { code: 'err_x', message: 'Too large.' } });
    await answer('tabs.query', { result: [1] });
    equal(answers(), [
      { i: 1, e: 'Too large.' },
      { i: 0, r: [1] },
    ]);
  });

  for (const method of [
    'resize',
    'setPermissions',
    'addRoles',
    'removeRoles',
    'enablePrivacyMode',
    'disablePrivacyMode',
  ]) {
    // Proves: client addRoles; client removeRoles; client enablePrivacyMode; client disablePrivacyMode
    it(`answers ${method} with true`, async () => {
      await connect();
      messages.handle({ m: method, a: [], i: 0, t: 'admin' });
      await answer(method);
      equal(answers(), [{ i: 0, r: true }]);
    });
  }

  it('sends a screenshot of the front page before the answer', async () => {
    await connect();
    await show(GREEN);
    messages.handle({ m: 'screenshot', a: [{ tabId: 3 }], i: 0, t: 'admin' });
    equal([callOf('tabs.get')?.args, callOf('tabs.get')?.adminToken], [[3], 'admin']);
    const answered = nextAnswer();
    await answer('tabs.get', { result: { id: 3, active: true, width: WIDTH, height: HEIGHT - 40 } });
    await answered;
    const [shot] = of('screenshot');
    ok(shot && 'data' in shot && typeof shot.data === 'object' && 'buf' in shot.data);
    equal([shot.data.mime, shot.data.tabId], ['image/png', 3]);
    const image = await createImageBitmap(new Blob([shot.data.buf], { type: shot.data.mime }));
    equal([image.width, image.height], [WIDTH, HEIGHT - 40]);
    const canvas = document.createElement('canvas');
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    ok(isNear(pixel(canvas, 5, 5), GREEN));
    equal(said.indexOf(shot) < said.findIndex((message) => 'i' in message), true);
    equal(answers(), [{ i: 0 }]);
  });

  it('sends a screenshot of the whole screen if the call names no tab', async () => {
    await connect();
    await show(GREEN);
    const answered = nextAnswer();
    messages.handle({ m: 'screenshot', a: [], i: 0 });
    await answered;
    const [shot] = of('screenshot');
    ok(shot && 'data' in shot && typeof shot.data === 'object' && 'buf' in shot.data);
    const image = await createImageBitmap(new Blob([shot.data.buf]));
    equal([image.width, image.height, shot.data.tabId], [WIDTH, HEIGHT, undefined]);
  });

  // Proves: client screenshot
  it('rejects a screenshot that is not possible, with a message', async () => {
    await connect();
    const refusal = async (...a: unknown[]) => {
      said.length = 0;
      const answered = nextAnswer();
      messages.handle({ m: 'screenshot', a, i: 0 });
      if (callOf('tabs.get')) await answer('tabs.get', { result: { id: 3, active: false } });
      const said0 = await answered;
      return 'e' in said0 ? said0.e : undefined;
    };
    ok((await refusal())?.startsWith('There is no picture yet'));
    ok((await refusal({ tabId: 'first' }))?.startsWith('tabId must be'));
    await show(GREEN);
    ok((await refusal({ tabId: 3 }))?.startsWith('Tab 3 is not the active tab'));
    viewer.videoPaused = true;
    ok((await refusal())?.startsWith('There is no picture yet'));
    equal(of('screenshot'), []);
  });

  // Proves: option timeout
  it("does not send an answer after the client's timeout", async () => {
    messages.close();
    messages = new ClientMessages(viewer, (message) => said.push(message), 0);
    await connect();
    messages.handle({ m: 'tabs.query', a: [], i: 0 });
    await answer('tabs.query', { result: [] });
    equal(answers(), []);
  });

  it('acknowledges a listener before it sends events, and stops when the listener is removed', async () => {
    await connect();
    messages.handle({ m: 'tabs.onUpdated.addListener', a: [], i: 3 });
    const subscription = host.last.of('call').find(({ args }) => args[0] === 'tabs.onUpdated');
    host.last.send({ type: 'event', name: 'tabs.onUpdated', args: ['early'] });
    host.last.send({ type: 'answer', id: subscription?.id ?? 0 });
    await nextTask();
    host.last.send({ type: 'event', name: 'tabs.onUpdated', args: [7, { status: 'complete' }] });
    equal(answers(), [{ i: 3 }, { i: 3, r: ['early'] }, { i: 3, r: [7, { status: 'complete' }] }]);
    messages.handle({ m: 'tabs.onUpdated.removeListener', a: [3], i: 4, t: undefined });
    await nextTask();
    // Not the newest call: the viewer subscribes to copies when its controls are loaded, which may be now.
    equal(callOf('unsubscribe')?.args, ['tabs.onUpdated']);
    equal(answers().at(-1), { i: 4 });
  });

  it('lets the client add its listeners again after the tabs backend was restarted', async () => {
    await connect();
    messages.handle({ m: 'tabs.onCreated.addListener', a: [], i: 0 });
    const subscription = host.last.of('call').find(({ args }) => args[0] === 'tabs.onCreated');
    host.last.send({ type: 'answer', id: subscription?.id ?? 0 });
    await nextTask();
    host.last.send({ type: 'event', name: 'tabs.onReconnected', args: [] });
    equal(of('ext_reconn'), [{ type: 'ext_reconn' }]);
    host.last.send({ type: 'event', name: 'tabs.onCreated', args: [{}] });
    equal(answers(), [{ i: 0 }]);
  });

  // Proves: option onCursor
  it('reports pointers of other users in screen and page coordinates', async () => {
    await connect();
    await show(GREEN);
    equal(of('resize'), [{ type: 'resize', data: { width: WIDTH, height: HEIGHT } }]);
    host.last.send({ type: 'event', name: 'users.onPointer', args: [{ userId: 'user-2', x: 0.5, y: 0.5 }] });
    const at = { clientX: WIDTH, clientY: HEIGHT };
    equal(of('peer_mouse'), [{ type: 'peer_mouse', data: { userId: 'user-2', x: 0.5, y: 0.5, ...at } }]);
  });

  // Proves: option onCloseWarning
  it('sends warnings in milliseconds, and clears one by a warning without a deadline', async () => {
    await connect();
    host.last.send({ type: 'close-warning', kind: 'inactive', delay: 60_000 });
    host.last.send({ type: 'close-warning', kind: 'inactive', delay: null });
    const [warning, end] = of('close_warning') as {
      data: { deadline?: { delay: number; closeDate: string } };
    }[];
    equal(warning?.data.deadline?.delay, 60_000);
    equal(typeof warning?.data.deadline?.closeDate, 'string');
    equal(end, { type: 'close_warning', data: { type: 'inactive' } });
  });

  for (const [reason, type] of [
    ['request', 'request'],
    ['inactive', 'inactive'],
    ['absolute', 'absolute'],
    ['kicked', 'kicked'],
    ['unauthorized', 'unauthorized'],
    ['offline', 'unknown'],
    ['ended', 'unknown'],
    ['crashed', 'unknown'],
    ['unsupported', 'unknown'],
    ['rejected', 'unknown'],
  ] as const) {
    // Proves: option onDisconnect
    it(`reports the end ${reason} as ${type}`, async () => {
      await connect();
      host.last.close(closeCodeOf(reason), 'Over.');
      equal(of('disconnect'), [{ type: 'disconnect', data: { type } }]);
    });
  }

  for (const userdata of [{ ticket: 1 }, 'a token', '', 7, 0, true, false, ['a', 1], []]) {
    it(`reports on the first connection that the user has the data ${JSON.stringify(userdata)}`, () => {
      messages.handle({ type: 'webhook_auth', data: { webhookUserdata: userdata } });
      void client.connect();
      host.last.welcome();
      equal(host.last.of('hello')[0]?.userdata, userdata);
    });
  }

  // Proves: option webhookUserdata
  it('reports no data of a user without data', () => {
    for (const data of [
      { webhookUserdata: null },
      { webhookUserdata: undefined },
      {},
      null,
      undefined,
      'x',
    ]) {
      messages.handle({ type: 'webhook_auth', data });
    }
    void client.connect();
    host.last.welcome();
    equal(Object.keys(host.last.of('hello')[0] ?? {}).includes('userdata'), false);
  });

  // Proves: option playoutDelay; client ping
  it('stores the admin token, pings, reconnects, and ignores unknown messages', async () => {
    await connect();
    messages.handle({ type: 'admin_token', data: 'admin' });
    messages.handle({ type: 'ping' });
    for (const message of [undefined, 7, 'x', {}, { type: 'click' }, { type: 'playout_delay', data: true }])
      messages.handle(message);
    equal(client.remote.adminToken, 'admin');
    equal(
      host.last.of('ping').some(({ active }) => active),
      true,
    );
    messages.handle({ type: 'disable_input', data: true });
    equal(viewer.viewOnly, true);
    messages.handle({ type: 'video_paused', data: true });
    equal(host.last.of('visible'), [{ type: 'visible', visible: false }]);
    messages.handle({ type: 'reconnect' });
    equal(host.connections.length, 2);
  });
});

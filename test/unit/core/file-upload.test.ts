import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { NotConnectedError } from '../../../src/core/index.js';
import { connectedClient } from '../../fakes/connected-client.js';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
type Connected = Awaited<ReturnType<typeof connectedClient>>;

describe('an upload whose connection is lost when all bytes are sent', () => {
  let connected: Connected;
  let uploading: Promise<void>;

  beforeEach(async () => {
    mock.method(globalThis, 'fetch', () => Promise.resolve(Response.json({ received: 5 })));
    connected = await connectedClient();
    uploading = connected.client.files.upload({ chooser: 'c' }, [new File(['hello'], 'notes.txt')]);
    uploading.catch(() => undefined);
    await answer('files.offer', { id: 'u', tickets: ['t'] });
  });
  afterEach(() => mock.reset());

  /** Resolves when the client has made the call on the current connection. */
  async function called(method: string) {
    for (;;) {
      const call = connected.host.last.of('call').find((each) => each.method === method);
      if (call) return call;
      await nextTurn();
    }
  }

  async function answer(method: string, result?: object): Promise<void> {
    const { id } = await called(method);
    connected.host.last.send({ type: 'answer', id, ...(result && { result }) });
  }

  it('is finished on the next connection', async () => {
    const { host, timers, client } = connected;
    await called('files.finish');
    host.last.close();
    timers.advance(0);
    host.last.welcome();
    await nextTurn();
    timers.advance(1_000);
    await Promise.race([answer('files.finish'), uploading]);
    await uploading;
    assert.deepEqual(
      host.last.of('call').map(({ method }) => method),
      ['files.finish'],
    );
    client.disconnect();
  });

  it('rejects when the client does not connect again', async () => {
    const { client, timers } = connected;
    await called('files.finish');
    client.disconnect();
    await assert.rejects(uploading, NotConnectedError);
    assert.equal(timers.pending, 0);
  });
});

describe('an upload that begins while the client reconnects', () => {
  let connected: Connected;
  let uploading: Promise<void>;
  const offers = () => connected.host.last.of('call').filter(({ method }) => method === 'files.offer');

  beforeEach(async () => {
    connected = await connectedClient();
    connected.host.last.close();
    uploading = connected.client.files.upload({ chooser: 'c' }, [new File(['hello'], 'notes.txt')]);
    uploading.catch(() => undefined);
    await import('../../../src/core/files/file-upload.js');
    await nextTurn();
  });

  it('is offered on the next connection', async () => {
    const { client, host, timers } = connected;
    timers.advance(0);
    host.last.welcome();
    await nextTurn();
    timers.advance(1_000);
    await nextTurn();
    assert.equal(offers().length, 1);
    client.disconnect();
    await assert.rejects(uploading, NotConnectedError);
  });

  it('rejects when the client does not connect again', async () => {
    const { client, timers } = connected;
    client.disconnect();
    timers.advance(1_000);
    await assert.rejects(uploading, NotConnectedError);
    assert.equal(timers.pending, 0);
  });
});

describe('an upload whose connection is lost while its bytes are sent', () => {
  let connected: Connected;
  let uploading: Promise<void>;
  let online: boolean;
  let posts: number;
  let stop: AbortController;

  beforeEach(async () => {
    [online, posts] = [true, 0];
    mock.method(globalThis, 'fetch', () => {
      posts += 1;
      return online
        ? Promise.resolve(Response.json({ received: 5 }))
        : Promise.reject(new TypeError('offline'));
    });
    connected = await connectedClient();
    stop = new AbortController();
    const options = { signal: stop.signal };
    uploading = connected.client.files.upload({ chooser: 'c' }, [new File(['hello'], 'notes.txt')], options);
    uploading.catch(() => undefined);
    await called('files.offer');
    online = false;
    connected.host.last.send({ type: 'answer', id: (await called('files.offer')).id, result: TICKET });
    while (posts === 0) await nextTurn();
    connected.host.last.close();
  });
  afterEach(() => mock.reset());

  const TICKET = { id: 'u', tickets: ['t'] };

  async function called(method: string) {
    for (;;) {
      const call = connected.host.last.of('call').find((each) => each.method === method);
      if (call) return call;
      await nextTurn();
    }
  }

  /** Lets time pass in steps, so that promises settle between them. */
  async function pass(milliseconds: number): Promise<void> {
    for (let passed = 0; passed < milliseconds; passed += 500) {
      connected.timers.advance(500);
      await nextTurn();
    }
  }

  it('continues although the client needs a minute to connect again', async () => {
    const { host, client } = connected;
    for (let second = 0; second < 50; second++) {
      await pass(1_000);
      if (!host.last.closed) host.last.close();
    }
    online = true;
    while (client.state === 'reconnecting') {
      await pass(500);
      if (!host.last.closed) host.last.welcome();
      await nextTurn();
    }
    assert.equal(client.state, 'playing');
    await pass(1_000);
    const finish = host.last.of('call').find(({ method }) => method === 'files.finish');
    host.last.send({ type: 'answer', id: finish?.id ?? 0 });
    await Promise.race([uploading, pass(5_000)]);
    assert.ok(finish);
    client.disconnect();
  });

  it('is cancelled in the session after the reconnect if the user cancels it meanwhile', async () => {
    const { host, client } = connected;
    stop.abort(new Error('enough'));
    await pass(500);
    await assert.rejects(uploading, { message: 'enough' });
    if (client.state === 'reconnecting') host.last.welcome();
    await pass(1_000);
    const cancels = host.last.of('call').filter(({ method }) => method === 'files.cancel');
    assert.deepEqual(
      cancels.map(({ args }) => args),
      [['u']],
    );
    client.disconnect();
  });

  it('rejects when the client gives up', async () => {
    connected.client.disconnect();
    await pass(1_000);
    await assert.rejects(uploading, NotConnectedError);
    assert.equal(connected.timers.pending, 0);
  });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';
import { SharedPace } from '../../../../server/src/host/features/automation/programs/program-pace.js';
import { Program } from '../../../../server/src/host/features/automation/programs/program.js';
import { GOODBYE_MS } from '../../../../server/src/host/room/handshake.js';
import { PassingTime } from '../../../fakes/passing-time.js';

let server: WebSocketServer;
/** Makes each message to the program take 200 ms. */
let sendSlowly: () => void;
/** Resolves when the program's socket is closed. */
let gone: Promise<void>;
let client: WebSocket;
let program: Program;
let time: PassingTime;
/** Called for each command. */
let onCommand: (id: number) => void;
/** True if the browser has room for another command. */
let hasRoom: boolean;
/** Largest size of a command that the browser accepts now, in characters. */
let accepted: number;
let answers: string[];

beforeEach(async () => {
  time = new PassingTime();
  onCommand = () => undefined;
  answers = [];
  hasRoom = true;
  accepted = Infinity;
  server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  await once(server, 'listening');
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client.on('message', (data: Buffer) => answers.push(data.toString()));
  const listener = {
    onCommand: ({ id }: { id: number }) => onCommand(id),
    accepts: (size: number, method = '') => size <= accepted || method === 'Fetch.fulfillRequest',
    hasRoom: () => hasRoom,
    onGone: () => undefined,
  };
  const connected = once(server, 'connection');
  server.on('connection', (accepted) => {
    gone = new Promise((resolve) => accepted.once('close', resolve));
    sendSlowly = () => void mock.method(accepted, 'send', () => time.work(200));
    program = new Program(
      // The class of the sockets is a parameter of the server's type, which the rule takes for another class.
      // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment
      accepted,
      listener,
      new SharedPace(() => performance.now()),
    );
  });
  await Promise.all([connected, once(client, 'open')]);
});
afterEach(async () => {
  client.terminate();
  // A timer of this test must not be cleared when the next test has replaced the timers.
  await gone;
  server.close();
  time.restore();
});

const send = (id: number, sessionId?: string, method = 'Page.enable') =>
  client.send(JSON.stringify({ id, method, sessionId }));
const sendLarge = (id: number, sessionId: string, size = 1e5, method = 'Runtime.evaluate') => {
  const params = { expression: 'x'.repeat(size) };
  client.send(JSON.stringify({ id, method, params, sessionId }));
};

/** Turns of the event loop in which messages arrive at the latest. */
const MAX_TURNS = 20_000;

async function until(condition: () => boolean): Promise<void> {
  for (let turns = 0; !condition(); turns++) {
    assert.ok(turns < MAX_TURNS, 'it does not happen');
    await turn();
  }
}

describe('the connection of a program', () => {
  for (const kind of ['ping', 'pong'] as const)
    it(`ends after too many ${kind}s of WebSockets, which are no commands`, async () => {
      const closed: unknown[] = [];
      client.once('close', (code, reason) => closed.push(code, reason.toString().slice(0, 22)));
      await until(() => {
        if (client.readyState === client.OPEN) client[kind]();
        return client.readyState !== client.OPEN;
      });
      // The host reads nothing more, so it ends the connection itself.
      await time.pass(GOODBYE_MS);
      await until(() => closed.length > 0);
      assert.deepEqual(closed, [1008, 'Too many pings or pong']);
    });

  it('handles a few commands in a row, and then lets everything else of the host happen', async () => {
    const handledAt: number[] = [];
    let turns = 0;
    let counts = true;
    const count = () => {
      turns += 1;
      if (counts) setImmediate(count);
    };
    onCommand = () => {
      handledAt.push(turns);
      time.work(1);
    };
    for (let id = 0; id < 30; id++) send(id);
    setImmediate(count);
    await until(() => handledAt.length === 30);
    counts = false;
    const inARow = Math.max(...handledAt.map((at) => handledAt.filter((other) => other === at).length));
    assert.ok(inARow <= 4, `${inARow} commands in one turn`);
  });

  it('handles commands of other CDP sessions while a large one waits for the browser', async () => {
    const handled: number[] = [];
    onCommand = (id) => handled.push(id);
    accepted = 64_000;
    sendLarge(1, 'first');
    send(2, 'first');
    send(3, 'second');
    send(4);
    await until(() => handled.length === 2);
    assert.deepEqual(handled, [3, 4]);
    accepted = Infinity;
    program.answer('{}');
    await until(() => handled.length === 4);
    assert.deepEqual(handled, [3, 4, 1, 2], 'the commands of a CDP session keep their order');
    send(5, 'first');
    await until(() => handled.length === 5);
  });

  for (const method of ['Fetch.continueRequest', 'Page.handleJavaScriptDialog'])
    it(`handles ${method}, for which an earlier large command of the CDP session may wait`, async () => {
      const handled: number[] = [];
      onCommand = (id) => handled.push(id);
      accepted = 64_000;
      sendLarge(1, 'first');
      send(2, 'first', method);
      await until(() => handled.length === 1);
      assert.deepEqual(handled, [2]);
    });

  it('handles a large Fetch.fulfillRequest, for which an earlier large command may wait', async () => {
    const handled: number[] = [];
    onCommand = (id) => handled.push(id);
    accepted = 64_000;
    sendLarge(1, 'first');
    sendLarge(2, 'first', 1e5, 'Fetch.fulfillRequest');
    await until(() => handled.length === 1);
    assert.deepEqual(handled, [2]);
  });

  it('reads no more while too many characters of commands wait, and continues after them', async () => {
    const handled: number[] = [];
    onCommand = (id) => handled.push(id);
    accepted = 64_000;
    sendLarge(1, 'first', 9e6);
    sendLarge(2, 'second', 9e6);
    sendLarge(3, 'third', 9e6);
    send(4, 'fourth');
    await time.pass(1_000);
    assert.deepEqual(handled, []);
    accepted = Infinity;
    await time.pass(1_000);
    await until(() => handled.length === 4);
    assert.deepEqual(handled, [1, 2, 3, 4]);
    accepted = 0;
    send(5);
    await time.pass(1_000);
    assert.equal(handled.length, 4);
    accepted = Infinity;
    await time.pass(1_000);
    await until(() => handled.length === 5);
  });

  it('waits when the program has used its share of the host', async () => {
    const handled: number[] = [];
    onCommand = (id) => {
      handled.push(id);
      time.work(300);
    };
    for (const id of [1, 2, 3]) send(id);
    await until(() => handled.length === 1);
    await time.pass(800);
    assert.deepEqual(handled, [1]);
    await time.pass(500);
    assert.deepEqual(handled, [1, 2]);
  });

  it('counts answers of the browser as time of the program', async () => {
    const handled: number[] = [];
    onCommand = (id) => handled.push(id);
    send(1);
    await until(() => handled.length === 1);
    sendSlowly();
    program.answer('{}');
    send(2);
    await time.pass(800);
    assert.deepEqual(handled, [1]);
    await time.pass(1_500);
    await until(() => handled.length === 2);
  });

  it('holds a command back until the browser has room, and all later ones behind it', async () => {
    const handled: number[] = [];
    onCommand = (id) => {
      handled.push(id);
      hasRoom = false;
    };
    for (const id of [1, 2, 3]) send(id);
    await until(() => handled.length === 1);
    await time.pass(1_000);
    assert.deepEqual(handled, [1]);
    hasRoom = true;
    program.answer('{}');
    await until(() => handled.length === 2);
    assert.deepEqual(handled, [1, 2], 'the answer lets the next command begin without a timer');
  });

  it('ends with a reason after too many messages that are no commands', async () => {
    const closed = once(client, 'close') as Promise<[number, Buffer]>;
    for (let count = 0; count < 60; count++) client.send('{');
    const [code, reason] = await closed;
    assert.equal(code, 1008);
    assert.equal(
      reason.toString(),
      'Too many messages were not commands. Send JSON objects with id, method and params.',
    );
    assert.equal(answers.length, 50);
    assert.match(answers[0] ?? '', /"code":-32700/);
  });

  it('slows down after many refused commands, which keep their answers', async () => {
    let handled = 0;
    onCommand = (id) => {
      handled += 1;
      program.send(JSON.stringify({ id, error: { code: -32000, message: 'refused' } }));
      program.refused();
    };
    for (let id = 0; id < 300; id++) send(id);
    await until(() => handled >= 200);
    await time.pass(0);
    assert.equal(handled, 200);
    await time.pass(3_000);
    await until(() => answers.length === 300);
  });
});

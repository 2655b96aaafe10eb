import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CloseWarningInfo } from '../../../src/core/events.js';
import {
  closeCodeOf,
  encodePacketHeader,
  encodeSoundPacket,
  type MediaPacket,
  type Notice,
  type RemoteField,
  type SoundPacket,
} from '../../../src/protocol/index.js';
import { connectedClient } from '../../fakes/connected-client.js';

const FIELD: RemoteField = {
  ...{ id: 1, place: 'page', inputMode: 'text', enterKeyHint: 'enter', capitals: 'none' },
  ...{ autocomplete: '', password: false, multiline: false, rectangle: null, caret: null },
};

describe('a connected client', () => {
  it('emits warnings of the end in seconds, and their removal', async () => {
    const { client, host } = await connectedClient();
    const told: CloseWarningInfo[] = [];
    client.on('closeWarning', (warning) => told.push(warning));
    const before = Date.now();
    host.last.send({ type: 'close-warning', kind: 'inactive', delay: 60_000 });
    host.last.send({ type: 'close-warning', kind: 'inactive', delay: null });
    const [warning, hidden] = told;
    assert.deepEqual([warning?.type, warning?.deadline?.delay], ['inactive', 60]);
    assert.ok((warning?.deadline?.closeDate.getTime() ?? 0) >= before + 60_000);
    assert.deepEqual(hidden, { type: 'inactive' });
  });

  it('emits restarts of the browser', async () => {
    const { client, host } = await connectedClient();
    const told: Notice[] = [];
    client.on('notice', (notice) => told.push(notice));
    const notice = { type: 'notice', kind: 'page-crashed', message: 'A page crashed.' } as const;
    host.last.send(notice);
    assert.deepEqual(told, [notice]);
  });

  it('emits the dialog of the page in front, and its end, also by a lost connection', async () => {
    const { client, host, timers } = await connectedClient();
    const dialog = { id: 1, type: 'confirm', message: 'Go on?', defaultPrompt: '', site: '' } as const;
    const told: unknown[] = [];
    client.on('dialog', (each) => told.push(each));
    host.last.send({ type: 'dialog', dialog: null });
    host.last.send({ type: 'dialog', dialog });
    assert.equal(client.dialog?.id, 1);
    host.last.send({ type: 'dialog', dialog: null });
    host.last.send({ type: 'dialog', dialog });
    host.last.close();
    timers.advance(0);
    host.last.welcome();
    assert.deepEqual(told, [dialog, undefined, dialog, undefined]);
    assert.equal(client.dialog, undefined);
  });

  it('numbers input events from 1, and continues on the next connection', async () => {
    const { client, host, timers } = await connectedClient();
    const move = { type: 'move', modifiers: 0, x: 1, y: 2 } as const;
    client.sendInput(move);
    client.sendInput(move);
    assert.deepEqual(host.last.inputs, [
      { ...move, seq: 1 },
      { ...move, seq: 2 },
    ]);
    host.last.close();
    assert.equal(client.sendInput(move), false);
    timers.advance(0);
    host.last.welcome();
    client.sendInput(move);
    assert.deepEqual(host.last.inputs, [{ ...move, seq: 3 }]);
  });

  it('measures the time from an input event to the first painted frame that shows it', async () => {
    const { client, timers } = await connectedClient();
    client.sendInput({ type: 'release', modifiers: 0 });
    timers.advance(20);
    assert.equal(client.inputLatency(1), 20);
    assert.equal(client.inputLatency(1), undefined);
    assert.equal(client.inputLatency(0), undefined);
  });

  it('keeps the hidden state over a reconnect', async () => {
    const { client, host, timers } = await connectedClient();
    client.setVisible(false);
    host.last.close();
    timers.advance(0);
    host.last.welcome();
    assert.deepEqual(host.last.of('visible'), [{ type: 'visible', visible: false }]);
  });

  it('requests and emits sound while it is wanted, also after a reconnect', async () => {
    const { client, host, timers } = await connectedClient();
    const sounds: SoundPacket[] = [];
    client.on('sound', (packet) => sounds.push(packet));
    assert.deepEqual(host.last.of('sound'), []);
    client.setSound(true);
    client.setSound(true);
    host.last.close();
    timers.advance(0);
    host.last.welcome();
    assert.deepEqual(
      host.connections.map((connection) => connection.of('sound')),
      [[{ type: 'sound', on: true }], [{ type: 'sound', on: true }]],
    );
    const packet = { start: false, number: 7, captureTime: 9, payload: new Uint8Array([1]) };
    host.last.listener.onMessage(encodeSoundPacket(packet));
    assert.deepEqual(sounds, [packet]);
    client.setSound(false);
    assert.deepEqual(host.last.of('sound').at(-1), { type: 'sound', on: false });
  });

  it('emits packets, stream and cursor messages', async () => {
    const { client, host } = await connectedClient();
    const packets: MediaPacket[] = [];
    client.on('packet', (packet) => packets.push(packet));
    const header = { kind: 'image', keyFrame: true, refinement: false, stream: 3, frame: 9 } as const;
    const area = { x: 0, y: 0, width: 1, height: 1 };
    host.last.listener.onMessage(encodePacketHeader({ ...header, captureTime: 5, inputSeq: 7, area }));
    host.last.send({ type: 'cursor', shape: 'none' });
    assert.equal(packets[0]?.frame, 9);
    assert.equal(client.cursor?.shape, 'none');
  });

  it('forgets the focused field and the locked pointer when the connection is over', async () => {
    const { client, host } = await connectedClient();
    host.last.send({ type: 'focus', field: FIELD });
    host.last.send({ type: 'pointer-lock', locked: true });
    const told: unknown[] = [];
    client.on('focus', (field) => told.push(field)).on('pointerLock', (locked) => told.push(locked));
    host.last.close(closeCodeOf('ended'));
    assert.deepEqual(told, [undefined, false]);
    assert.deepEqual([client.remoteField, client.pointerLocked], [undefined, false]);
  });

  it('keeps the focused field and the locked pointer while it reconnects', async () => {
    const { client, host } = await connectedClient();
    host.last.send({ type: 'focus', field: FIELD });
    host.last.send({ type: 'pointer-lock', locked: true });
    host.last.close();
    assert.equal(client.state, 'reconnecting');
    assert.deepEqual([client.remoteField?.id, client.pointerLocked], [1, true]);
  });

  it('skips and reports a message that it cannot parse', async () => {
    const { client, host } = await connectedClient();
    const errors: Error[] = [];
    client.on('error', (error) => errors.push(error));
    host.last.listener.onMessage(new Uint8Array(3));
    host.last.listener.onMessage('not json');
    assert.equal(errors.length, 2);
    assert.equal(client.state, 'playing');
  });
});

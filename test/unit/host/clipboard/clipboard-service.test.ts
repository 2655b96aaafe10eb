import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  closeCodeOf,
  encodeClipboardChunk,
  encodeControl,
  Modifier,
  type ClipboardData,
  type ClipboardMessage,
  type ClipboardPart,
} from 'cloud-browser/protocol';
import { NoHandover, TooLarge } from '../../../../server/src/host/input/shared-clipboard.js';
import { TransferMemory } from '../../../../server/src/host/features/clipboard/transfer-memory.js';
import {
  TRANSFER_TIMEOUT_MS,
  ViewerTransfers,
} from '../../../../server/src/host/features/clipboard/viewer-transfers.js';
import { FakeRoom, until, type RawClient } from '../../../fakes/fake-room.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

const MIB = 1024 * 1024;
const KEY_V = { code: 'KeyV', key: 'v', modifiers: Modifier.control };

let room: FakeRoom;
let admin: RawClient;
let one: RawClient;
let two: RawClient;
beforeEach(async () => {
  room = await FakeRoom.open();
  [admin, one, two] = [await room.enter(), await room.enter(), await room.enter()];
});
afterEach(() => room.close());

const codeOf = async (answer: ReturnType<RawClient['call']>) => (await answer).error?.code;
const say = (client: RawClient, message: ClipboardMessage) => client.socket.send(encodeControl(message));
const offer = (client: RawClient, transfer: number, ...parts: ClipboardPart[]) =>
  say(client, { type: 'clipboard-offer', transfer, parts });
const chunk = (client: RawClient, transfer: number, payload: Uint8Array) =>
  client.socket.send(encodeClipboardChunk({ transfer, payload }));
const saidOf = <Type extends ClipboardMessage['type']>(client: RawClient, type: Type) =>
  client.told.filter(
    (message): message is Extract<ClipboardMessage, { type: Type }> => message.type === type,
  );

/** Sends a short text and pastes it. */
function paste(client: RawClient, transfer: number, text: string): void {
  offer(client, transfer, { type: 'text/plain', size: text.length });
  chunk(client, transfer, Buffer.from(text));
  client.input({ type: 'paste', transfer, ...KEY_V });
}

describe('pasting', () => {
  it("puts the user's content on the clipboard, presses the key, and confirms the transfer", async () => {
    paste(one, 1, 'from one');
    await until(() => room.display.includes('key 38 up'));
    assert.deepEqual(room.clipboard.said, ['own text/plain 8']);
    assert.equal(room.display.filter((said) => said === 'key 38 down').length, 1);
    await one.settled();
    assert.deepEqual(saidOf(one, 'clipboard-ack').at(-1), { type: 'clipboard-ack', transfer: 1, bytes: 8 });
  });

  it('is removed before an agent acts on a page over the DevTools protocol, whose input keeps its order', async () => {
    const agent = room.users.agents.join({ name: 'Helper', roles: ['control'] });
    paste(one, 1, 'from one');
    await until(() => room.display.includes('key 38 up'));
    const order: string[] = [];
    const acts = async (name: string) => {
      await agent.removePasteOfOthers();
      order.push(...room.clipboard.said.slice(1), name);
    };
    await Promise.all([acts('first'), acts('second')]);
    assert.deepEqual(order, ['disown', 'first', 'disown', 'second']);
    assert.equal(agent.removePasteOfOthers(), undefined);
  });

  it('the same content again needs no second transfer', async () => {
    paste(one, 1, 'from one');
    one.input({ type: 'paste', transfer: 1, ...KEY_V });
    await until(() => room.display.filter((said) => said === 'key 38 up').length === 2);
    assert.deepEqual(room.clipboard.said, ['own text/plain 8']);
  });

  it('is refused for users without control, also from a raw socket', async () => {
    await admin.admin('setPermissions', one.id, { control_disabled: true });
    paste(one, 1, 'from one');
    await until(() => saidOf(one, 'clipboard-refused').length > 0);
    assert.equal(saidOf(one, 'clipboard-refused')[0]?.error?.code, 'err_forbidden');
    assert.equal(await one.refusal('clipboard.write', 1), 'err_forbidden');
    assert.deepEqual([room.clipboard.said, room.display], [[], []]);
    assert.equal(one.closed, undefined);
  });

  it('does nothing for a missing or incomplete transfer', async () => {
    one.input({ type: 'paste', transfer: 9, ...KEY_V });
    offer(one, 1, { type: 'text/plain', size: 10 });
    chunk(one, 1, Buffer.from('half'));
    one.input({ type: 'paste', transfer: 1, ...KEY_V });
    assert.equal(await one.refusal('clipboard.write', 1), 'err_clipboard_no_transfer');
    assert.equal(await one.refusal('clipboard.write', 'x'), 'err_clipboard_no_transfer');
    assert.deepEqual([room.clipboard.said, room.display], [[], []]);
  });

  it("removes content of other users before a user's key", async () => {
    paste(one, 1, 'of one');
    await until(() => room.display.includes('key 38 up'));
    two.input({ type: 'key', pressed: true, repeat: false, ...KEY_V });
    await until(() => room.clipboard.said.includes('disown'));
    paste(two, 1, 'two!');
    await until(() => room.clipboard.said.includes('own text/plain 4'));
    assert.deepEqual(room.clipboard.said, ['own text/plain 6', 'disown', 'own text/plain 4']);
  });

  it('leaves nothing when its user leaves', async () => {
    paste(one, 1, 'of one');
    await until(() => room.display.includes('key 38 up'));
    one.socket.terminate();
    await until(() => room.clipboard.said.includes('disown'));
  });

  it('leaves nothing that other users can read', async () => {
    await admin.admin('addRoles', [one.id, two.id], ['clipboard_copy']);
    paste(one, 1, 'secret');
    await until(() => room.display.includes('key 38 up'));
    assert.equal((await two.call('clipboard.read')).result, '');
    assert.equal(await admin.admin('clipboard.read'), '');
    assert.equal((await two.call('clipboard.fetch')).result, 0);
    assert.equal((await one.call('clipboard.read')).result, 'secret');
    room.clipboard.copies('copied');
    assert.equal((await two.call('clipboard.read')).result, 'copied');
  });

  it("by the customer's program affects all users", async () => {
    offer(one, 1, { type: 'text/plain', size: 6 });
    chunk(one, 1, Buffer.from('shared'));
    assert.equal((await one.call('clipboard.write', [1])).error, undefined);
    two.input({ type: 'key', pressed: true, repeat: false, ...KEY_V });
    await until(() => room.display.some((said) => said.startsWith('key')));
    assert.deepEqual(room.clipboard.said, ['own text/plain 6']);
  });
});

describe('dropping', () => {
  const ADDRESS = 'https://example.com/a?b';
  const send = (client: RawClient, transfer: number, ...parts: [ClipboardPart['type'], string][]) => {
    offer(client, transfer, ...parts.map(([type, text]) => ({ type, size: text.length })));
    chunk(client, transfer, Buffer.from(parts.map(([, text]) => text).join('')));
  };
  const dropped = () =>
    room.drags.map((drag) => {
      const { type, x, y, data } = drag as { type: string; x: number; y: number; data: { items: unknown } };
      return { type, x, y, items: data.items };
    });
  const item = (mimeType: string, data: string) => ({ mimeType, data });

  it('gives the texts to the page at the position, in the order of a drag', async () => {
    send(one, 1, ['text/plain', 'bold'], ['text/html', '<b>bold</b>']);
    assert.equal((await one.call('clipboard.drop', [1, 30, 40])).error, undefined);
    const items = [item('text/plain', 'bold'), item('text/html', '<b>bold</b>')];
    assert.deepEqual(
      dropped(),
      ['dragEnter', 'dragOver', 'drop'].map((type) => ({ type, x: 30, y: 40, items })),
    );
  });

  it('of a link lets the browser open it, if it is an address of the web', async () => {
    for (const [transfer, text] of [ADDRESS, 'javascript:alert(1)', `${ADDRESS} and more`].entries()) {
      send(one, transfer + 1, ['text/plain', text]);
      assert.equal((await one.call('clipboard.drop', [transfer + 1, 1, 1, true])).error, undefined);
    }
    const types = dropped()
      .filter(({ type }) => type === 'drop')
      .map(({ items }) => (items as { mimeType: string }[]).map(({ mimeType }) => mimeType));
    assert.deepEqual(types, [['text/plain', 'text/uri-list'], ['text/plain'], ['text/plain']]);
  });

  it('of a link does not leave the page of a kiosk', async () => {
    room.close();
    room = await FakeRoom.open({ kiosk: true });
    one = await room.enter();
    send(one, 1, ['text/plain', ADDRESS]);
    await one.call('clipboard.drop', [1, 1, 1, true]);
    assert.deepEqual(dropped().at(-1)?.items, [item('text/plain', ADDRESS)]);
  });

  it('is refused without control, without a page, and with wrong arguments', async () => {
    send(one, 1, ['text/plain', 'x']);
    assert.equal(await one.refusal('clipboard.drop', 1, -1, 0), 'err_invalid_parameter');
    assert.equal(await one.refusal('clipboard.drop', 1, 0, 'x'), 'err_invalid_parameter');
    assert.equal(await one.refusal('clipboard.drop', 2, 0, 0), 'err_clipboard_no_transfer');
    room.hasPage = false;
    assert.equal(await one.refusal('clipboard.drop', 1, 0, 0), 'err_drop_refused');
    room.hasPage = true;
    offer(one, 3, { type: 'image/png', size: 1 });
    chunk(one, 3, Buffer.from('x'));
    assert.equal(await one.refusal('clipboard.drop', 3, 0, 0), 'err_drop_refused');
    await admin.admin('setPermissions', one.id, { control_disabled: true });
    assert.equal(await one.refusal('clipboard.drop', 3, 0, 0), 'err_forbidden');
    assert.deepEqual(room.drags, []);
  });
});

describe('content from users', () => {
  it('is limited by type, and refused with a reason', async () => {
    offer(one, 1, { type: 'text/plain', size: 4 * MIB + 1 });
    offer(one, 2, { type: 'image/png', size: 16 * MIB + 1 });
    await until(() => saidOf(one, 'clipboard-refused').length === 2);
    assert.deepEqual(
      saidOf(one, 'clipboard-refused').map(({ transfer, error }) => [transfer, error?.code]),
      [1, 2].map((transfer) => [transfer, 'err_clipboard_too_large']),
    );
  });

  it('can be a picture of the maximum size, which is no flood', async () => {
    offer(one, 1, { type: 'image/png', size: 16 * MIB });
    const piece = new Uint8Array(64 * 1024);
    for (let sent = 0; sent < 16 * MIB; sent += piece.length) chunk(one, 1, piece);
    await until(() => saidOf(one, 'clipboard-ack').at(-1)?.bytes === 16 * MIB);
    assert.equal(one.closed, undefined);
  });

  it('without permission is a flood', async () => {
    const piece = new Uint8Array(64 * 1024);
    for (let sent = 0; sent < 12 * MIB; sent += piece.length) chunk(one, 7, piece);
    await until(() => one.closed !== undefined);
    assert.equal(one.closed, closeCodeOf('flooding'));
  });

  it('ends the connection if it exceeds the announced size', async () => {
    offer(one, 1, { type: 'text/plain', size: 3 });
    chunk(one, 1, Buffer.from('four'));
    await until(() => one.closed !== undefined);
    assert.equal(one.closed, closeCodeOf('rejected'));
  });
});

describe('copying', () => {
  beforeEach(async () => {
    await one.call('subscribe', ['clipboard.onCopied']);
    await two.call('subscribe', ['clipboard.onCopied']);
  });
  const press = (client: RawClient) =>
    client.input({ type: 'key', pressed: true, repeat: false, code: 'KeyC', key: 'c', modifiers: 2 });
  const chunksOf = (client: RawClient) =>
    Buffer.concat(client.chunks.map((bytes) => bytes.subarray(8))).toString();

  it('reports a copy to its user, without its types if the user lacks the role', async () => {
    press(one);
    await until(() => room.display.includes('key 38 down'));
    room.clipboard.copies('secret');
    await until(() => one.events.length === 1);
    assert.deepEqual(one.events[0]?.args, [{ types: [], allowed: false }]);
    await admin.admin('addRoles', [one.id], ['clipboard_copy']);
    room.clipboard.copies('secret');
    await until(() => one.events.length === 2);
    assert.deepEqual(one.events[1]?.args, [{ types: ['text/plain'], allowed: true }]);
    await two.settled();
    assert.deepEqual(two.events, []);
  });

  it('belongs to no user if no user acted', async () => {
    room.clipboard.copies('by itself');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await one.settled();
    assert.deepEqual([one.events, two.events], [[], []]);
  });

  it('delivers content only to users with the role', async () => {
    room.clipboard.copies('secret');
    for (const method of ['clipboard.fetch', 'clipboard.read'] as const)
      assert.equal(await one.refusal(method), 'err_forbidden');
    await admin.admin('addRoles', [one.id], ['clipboard_copy']);
    const { result } = await one.call('clipboard.fetch');
    const parts = [{ type: 'text/plain', size: 6 }];
    assert.deepEqual(saidOf(one, 'clipboard-offer'), [{ type: 'clipboard-offer', transfer: result, parts }]);
    assert.equal(chunksOf(one), 'secret');
    assert.equal((await one.call('clipboard.read')).result, 'secret');
    await two.call('enablePrivacyMode');
    assert.equal(await one.refusal('clipboard.fetch'), 'err_forbidden');
  });

  it('delivers nothing that was still being read when privacy mode began', async () => {
    await admin.admin('addRoles', [one.id], ['clipboard_copy']);
    let answer: (data: ClipboardData) => void = () => undefined;
    let reads = 0;
    room.clipboard.reading = () => {
      reads += 1;
      return new Promise((resolve) => (answer = resolve));
    };
    for (const method of ['clipboard.fetch', 'clipboard.read'] as const) {
      const before = reads;
      const reading = one.call(method);
      await until(() => reads > before);
      await two.admin('enablePrivacyMode');
      answer(new Map([['text/plain', Buffer.from('private')]]));
      assert.equal(await codeOf(reading), 'err_forbidden');
      await two.admin('disablePrivacyMode');
    }
  });

  it('delivers nothing that a user copied in privacy mode, also after its end', async () => {
    await admin.admin('addRoles', [one.id], ['clipboard_copy']);
    await two.admin('enablePrivacyMode');
    room.clipboard.copies('private');
    await two.admin('disablePrivacyMode');
    assert.equal((await one.call('clipboard.read')).result, '');
    assert.equal((await one.call('clipboard.fetch')).result, 0);
  });

  it('stops midway when the role is taken away', async () => {
    await admin.admin('addRoles', [one.id], ['clipboard_copy']);
    room.clipboard.copies('x'.repeat(MIB));
    const { result } = await one.call('clipboard.fetch');
    const transfer = Number(result);
    await admin.admin('removeRoles', [one.id], ['clipboard_copy']);
    say(one, { type: 'clipboard-ack', transfer, bytes: 16 * 1024 });
    await until(() => saidOf(one, 'clipboard-refused').length > 0);
    assert.equal(saidOf(one, 'clipboard-refused')[0]?.error?.code, 'err_forbidden');
    const before = one.chunks.length;
    say(one, { type: 'clipboard-ack', transfer, bytes: 32 * 1024 });
    await one.settled();
    assert.equal(one.chunks.length, before);
  });

  it("does not end a user's upload when a newer download replaces a download", async () => {
    await admin.admin('addRoles', [one.id], ['clipboard_copy']);
    room.clipboard.copies('x'.repeat(MIB));
    offer(one, 1, { type: 'text/plain', size: 4 });
    const { result } = await one.call('clipboard.fetch');
    await one.call('clipboard.fetch');
    // A refusal contains no direction, so no transfer of the other direction may have its number.
    assert.deepEqual(
      saidOf(one, 'clipboard-refused').map(({ transfer }) => transfer),
      [result],
    );
    assert.notEqual(result, 1);
  });

  it('gives a download no number that the user has chosen for an upload', async () => {
    await admin.admin('addRoles', [one.id], ['clipboard_copy']);
    room.clipboard.copies('copied');
    const { result } = await one.call('clipboard.fetch');
    const next = Number(result) + 1;
    offer(one, next, { type: 'text/plain', size: 4 });
    const { result: second } = await one.call('clipboard.fetch');
    assert.equal(second, next + 1);
  });

  it('reports empty content, too large content, and a browser that does not deliver it', async () => {
    await admin.admin('addRoles', [one.id], ['clipboard_copy']);
    assert.equal((await one.call('clipboard.fetch')).result, 0);
    room.clipboard.reading = () => Promise.reject(new TooLarge());
    assert.equal(await one.refusal('clipboard.fetch'), 'err_clipboard_too_large');
    room.clipboard.reading = () => Promise.reject(new NoHandover());
    assert.equal(await one.refusal('clipboard.fetch'), 'err_clipboard_no_answer');
    room.clipboard.reading = undefined;
    room.clipboard.copies('x'.repeat(MIB));
    assert.equal(await one.refusal('clipboard.read'), 'err_clipboard_too_large');
  });
});

describe('a viewer that disconnects during a transfer', () => {
  const viewer = { send: () => undefined, sendChunk: () => undefined };
  const rights = { canUpload: () => true, canDownload: () => true };
  const picture = (transfer: number): ClipboardMessage => ({
    type: 'clipboard-offer',
    transfer,
    parts: [{ type: 'image/png', size: 16 * MIB }],
  });

  it('leaves no memory in use, in either direction', () => {
    const [clock, memory] = [new ManualClock(), new TransferMemory()];
    const transfers = new ViewerTransfers(viewer, rights, memory, clock);
    transfers.take(picture(1));
    transfers.push({ transfer: 1, payload: new Uint8Array(100) });
    transfers.send(new Map([['image/png', new Uint8Array(16 * MIB)]]));
    assert.equal(memory.take(32 * MIB), undefined);
    clock.advance(TRANSFER_TIMEOUT_MS);
    assert.equal(clock.pending, 0);
    memory.take(48 * MIB)?.();

    transfers.take(picture(2));
    transfers.close();
    assert.equal(clock.pending, 0);
    assert.ok(memory.take(48 * MIB));
  });

  it('leaves the next viewer the full space of the session', () => {
    const [clock, memory] = [new ManualClock(), new TransferMemory()];
    const refused: unknown[] = [];
    const told = { ...viewer, send: (message: object) => refused.push(message) };
    for (let count = 0; count < 4; count++) new ViewerTransfers(told, rights, memory, clock).take(picture(1));
    assert.equal(refused.length, 1);
    assert.match(JSON.stringify(refused), /err_clipboard_busy/);
    clock.advance(TRANSFER_TIMEOUT_MS);
    new ViewerTransfers(told, rights, memory, clock).take(picture(1));
    assert.equal(refused.length, 1);
  });
});

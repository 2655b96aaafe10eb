import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { CloudBrowserClient } from '../../../src/core/index.js';
import { encodeClipboardChunk, type CopiedNotice } from '../../../src/protocol/index.js';
import type { FakeHost } from '../../fakes/fake-host.js';
import type { ManualTimers } from '../../fakes/manual-timers.js';
import { connectedClient } from '../../fakes/connected-client.js';

let host: FakeHost;
let timers: ManualTimers;
let client: CloudBrowserClient;
beforeEach(async () => {
  ({ client, host, timers } = await connectedClient({ clipboard: true }));
});

/** Resolves after the answer has been handled. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const text = (words: string) => new TextEncoder().encode(words);

/** Advances time until a transfer is abandoned, while the session answers everything else. */
function giveUp(): void {
  for (let second = 0; second < 10; second++) {
    timers.advance(1_000);
    host.last.send({ type: 'pong', id: host.last.of('ping').at(-1)?.id ?? 0 });
  }
}

/** Answers the newest call. */
function answer(result?: unknown): void {
  const { id } = host.last.of('call').at(-1) ?? { id: 0 };
  host.last.send({ type: 'answer', id, ...(result !== undefined && { result }) });
}

/** The session sends the content that a call of `clipboard.fetch` requested. */
function transfer(words: string, said = words.length): void {
  const parts = [{ type: 'text/plain', size: said } as const];
  host.last.send({ type: 'clipboard-offer', transfer: 5, parts });
  host.last.listener.onMessage(encodeClipboardChunk({ transfer: 5, payload: text(words) }));
}

describe('reading the remote clipboard', () => {
  it('returns the copied content, and acknowledges it to the session', async () => {
    const read = client.clipboard.read();
    transfer('copied');
    answer(5);
    assert.deepEqual(await read, { text: 'copied' });
    assert.deepEqual(host.last.of('clipboard-ack'), [{ type: 'clipboard-ack', transfer: 5, bytes: 6 }]);
  });

  it('returns nothing when nothing was copied', async () => {
    const [read, words] = [client.clipboard.read(), client.readClipboard()];
    for (const { id } of host.last.of('call')) host.last.send({ type: 'answer', id, result: 0 });
    assert.deepEqual(await read, {});
    assert.equal(await words, '');
  });

  it('ends when the rest never arrives, when the session cancels, and with the connection', async () => {
    const late = client.clipboard.read();
    transfer('half', 12);
    answer(5);
    await settled();
    giveUp();
    await assert.rejects(late, { code: 'err_clipboard_no_answer' });

    const refused = client.clipboard.read();
    transfer('half', 12);
    answer(5);
    await settled();
    const error = { code: 'err_forbidden', message: 'You may not copy any more.' } as const;
    host.last.send({ type: 'clipboard-refused', transfer: 5, error });
    await assert.rejects(refused, { code: 'err_forbidden' });

    const lost = client.clipboard.read();
    transfer('half', 12);
    answer(5);
    await settled();
    host.last.close();
    await assert.rejects(lost, { code: 'err_not_connected' });
  });
});

describe('writing the remote clipboard', () => {
  it('sends each format, then the purpose', async () => {
    const written = client.clipboard.write({ text: 'bold', html: '<b>bold</b>', png: text('png') });
    await settled();
    assert.deepEqual(host.last.of('clipboard-offer')[0]?.parts, [
      { type: 'text/plain', size: 4 },
      { type: 'text/html', size: 11 },
      { type: 'image/png', size: 3 },
    ]);
    assert.equal(Buffer.concat(host.last.chunks).toString(), 'bold<b>bold</b>png');
    const call = host.last.of('call').at(-1);
    assert.deepEqual([call?.method, call?.args], ['clipboard.write', [1]]);
    answer();
    await written;
  });

  it('sends only acknowledged amounts that fit, and ends without acknowledgements', async () => {
    const written = client.clipboard.write({ text: 'x'.repeat(1_000_000) });
    const sent = () => host.last.chunks.reduce((sum, { length }) => sum + length, 0);
    assert.ok(sent() <= 128 * 1024, `${sent()} bytes at once`);
    for (let before = -1; sent() > before;) {
      before = sent();
      host.last.send({ type: 'clipboard-ack', transfer: 1, bytes: before });
    }
    assert.equal(sent(), 1_000_000);
    await settled();
    answer();
    await written;

    const late = client.clipboard.write({ text: 'y'.repeat(1_000_000) });
    giveUp();
    await assert.rejects(late, { code: 'err_clipboard_no_answer' });
  });

  it('is refused for too large content, and when the session refuses', async () => {
    await assert.rejects(client.clipboard.write({ text: 'x'.repeat(4 * 1024 * 1024 + 1) }), {
      code: 'err_clipboard_too_large',
    });
    const refused = client.clipboard.write({ text: 'x'.repeat(1_000_000) });
    const error = { code: 'err_forbidden', message: 'Ask for control first.' } as const;
    host.last.send({ type: 'clipboard-refused', transfer: 1, error });
    await assert.rejects(refused, { code: 'err_forbidden' });
  });

  it('sends the same text again only when the session no longer has it', () => {
    const first = client.clipboard.upload({ text: 'again' }).transfer;
    assert.equal(client.clipboard.upload({ text: 'again' }).transfer, first);
    assert.notEqual(client.clipboard.upload({ text: 'other' }).transfer, first);
    const other = client.clipboard.upload({ text: 'again' }).transfer;
    timers.advance(5_000);
    assert.notEqual(client.clipboard.upload({ text: 'again' }).transfer, other);
  });

  it('sends a refused text again, also after another transfer ended without success', () => {
    const refuse = (number: number) => {
      const error = { code: 'err_forbidden', message: 'Ask for control first.' } as const;
      host.last.send({ type: 'clipboard-refused', transfer: number, error });
    };
    const older = client.clipboard.upload({ text: 'x'.repeat(1_000_000) }).transfer;
    const refused = client.clipboard.upload({ text: 'again' }).transfer;
    refuse(refused);
    for (const other of [0x80000001, older]) refuse(other);
    assert.notEqual(client.clipboard.upload({ text: 'again' }).transfer, refused);
  });

  it('is not offered by an older session', async () => {
    ({ client } = await connectedClient());
    assert.equal(client.clipboard.takesPaste, false);
    assert.throws(() => client.clipboard.upload({ text: 'x' }), { code: 'err_not_connected' });
  });
});

it('a copy in the remote browser is reported until the last listener is removed', async () => {
  const heard: CopiedNotice[] = [];
  const listening = client.clipboard.onCopied((copied) => heard.push(copied));
  answer();
  const stop = await listening;
  const copied: CopiedNotice = { types: ['text/plain'], allowed: true };
  host.last.send({ type: 'event', name: 'clipboard.onCopied', args: [copied] });
  stop();
  host.last.send({ type: 'event', name: 'clipboard.onCopied', args: [copied] });
  assert.deepEqual(heard, [copied]);
});

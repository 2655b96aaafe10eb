import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ClipboardChannel } from '../../../src/core/clipboard/clipboard-channel.js';
import type { ClipboardContent } from '../../../src/core/clipboard/clipboard-content.js';
import * as contentsModule from '../../../src/core/clipboard/clipboard-contents.js';
import type { ClipboardMessage } from '../../../src/protocol/index.js';
import { ManualTimers } from '../../fakes/manual-timers.js';

const words = (text: string) => new TextEncoder().encode(text);
const data = (text: string): ClipboardContent => ({ text });

describe('a clipboard whose code is loaded later', () => {
  let timers: ManualTimers;
  let channel: ClipboardChannel;
  let arrive: () => Promise<void>;
  let fail: () => Promise<void>;
  let loads: number;
  let sent: ClipboardMessage[];
  const outlet = { send: (message: ClipboardMessage) => void sent.push(message), sendRaw: () => undefined };
  beforeEach(() => {
    timers = new ManualTimers();
    [sent, loads] = [[], 0];
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
    channel = new ClipboardChannel(timers, () => {
      loads += 1;
      return new Promise((resolve, reject) => {
        arrive = () => (resolve(contentsModule), turn());
        fail = () => (reject(new TypeError('blocked')), turn());
      });
    });
  });

  it('is not loaded for a session that accepts no transfers', () => {
    assert.equal(channel.isOpen, false);
    assert.throws(() => channel.upload(data('x')), { code: 'err_not_connected' });
    assert.equal(loads, 0);
  });

  it('sends earlier pastes in their order once it is loaded', async () => {
    channel.open(outlet);
    const uploads = [channel.upload(data('one')), channel.upload(data('second'))];
    assert.equal(sent.length, 0);
    await arrive();
    await Promise.all(uploads.map((upload) => upload.sent));
    const sizes = sent.flatMap((message) =>
      message.type === 'clipboard-offer' ? message.parts.map(({ size }) => size) : [],
    );
    assert.deepEqual(sizes, [3, 6]);
    assert.deepEqual(
      uploads.map(({ transfer }) => transfer),
      [1, 2],
    );
  });

  it('delivers earlier messages of the session', async () => {
    channel.open(outlet);
    channel.received({ type: 'clipboard-offer', transfer: 7, parts: [{ type: 'text/plain', size: 3 }] });
    channel.chunk({ transfer: 7, payload: words('abc') });
    const downloaded = channel.download(7);
    await arrive();
    assert.deepEqual(await downloaded, data('abc'));
  });

  it('sends nothing to a later connection', async () => {
    channel.open(outlet);
    const upload = channel.upload(data('secret'));
    channel.close();
    channel.open({ ...outlet });
    await arrive();
    await assert.rejects(upload.sent, { code: 'err_not_connected' });
    assert.equal(sent.length, 0);
    channel.upload(data('next'));
    assert.equal(sent.length, 1);
  });

  it('is skipped if loading fails, and used if it succeeds later', async () => {
    channel.open(outlet);
    const upload = channel.upload(data('x'));
    timers.advance(10_000);
    await assert.rejects(upload.sent, { code: 'err_unsupported' });
    assert.equal(channel.isOpen, false);
    assert.throws(() => channel.upload(data('x')), { code: 'err_unsupported' });
    await assert.rejects(channel.download(7), { code: 'err_unsupported' });
    await arrive();
    assert.equal(channel.isOpen, true);
    await channel.upload(data('x')).sent;
    assert.equal(timers.pending > 0, true);
  });

  it('is loaded again for the next connection after a blocked request', async () => {
    channel.open(outlet);
    await fail();
    assert.equal(channel.isOpen, false);
    await assert.rejects(channel.download(7), { code: 'err_unsupported' });
    channel.close();
    channel.open(outlet);
    assert.equal(loads, 2);
    await arrive();
    assert.equal(channel.isOpen, true);
    await channel.upload(data('x')).sent;
  });
});

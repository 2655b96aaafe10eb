import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { FileSender } from '../../../src/core/files/file-sender.js';
import { ManualTimers } from '../../fakes/manual-timers.js';

interface Post {
  url: string;
  size: number;
  signal: AbortSignal | undefined;
  answer: (status: number, body?: object) => void;
}

const URL = 'https://host.example/files/ticket';
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('the sender of a file', () => {
  let timers: ManualTimers;
  let posts: Post[];
  let sent: number[];
  let reconnected: () => Promise<boolean>;

  beforeEach(() => {
    timers = new ManualTimers();
    reconnected = () => Promise.resolve(false);
    [posts, sent] = [[], []];
    mock.method(
      globalThis,
      'fetch',
      (url: string, { body, signal }: { body: Blob; signal?: AbortSignal }) => {
        return new Promise<Response>((resolve, reject) => {
          const answer = (status: number, told: object = {}) => resolve(Response.json(told, { status }));
          posts.push({ url, size: body.size, signal, answer });
          signal?.addEventListener('abort', () => reject(new Error('The request was aborted.')));
        });
      },
    );
  });
  afterEach(() => mock.reset());

  function send(bytes: number, signal?: AbortSignal): Promise<void> {
    const file = new File([new Uint8Array(bytes)], 'notes.txt');
    const sender = new FileSender(timers, () => reconnected());
    return sender.send(URL, file, signal, (more) => sent.push(more));
  }

  it('sends a part again if no answer comes', async () => {
    const sending = send(10);
    timers.advance(25_000);
    await nextTurn();
    assert.equal(posts[0]?.signal?.aborted, true);
    timers.advanceToNext();
    await nextTurn();
    assert.deepEqual(
      posts.map(({ url }) => url),
      [`${URL}?offset=0`, `${URL}?offset=0`],
    );
    posts[1]?.answer(409, { received: 10 });
    await sending;
    assert.deepEqual([sent, timers.pending], [[10], 0]);
  });

  /** Answers all requests with an error until the sender gives up. Returns the time of its last request. */
  async function refuseAll(): Promise<number> {
    let last = timers.now();
    for (let count = posts.length - 1; ; count++) {
      posts[count]?.answer(502);
      await nextTurn();
      if (timers.pending === 0) return last;
      timers.advanceToNext();
      await nextTurn();
      assert.ok(timers.now() - last <= 4_000, `${timers.now() - last} ms without a try`);
      last = timers.now();
    }
  }

  it('gives up after half a minute of refusals while the client is connected', async () => {
    const failed = assert.rejects(send(10), { name: 'FileTransferError' });
    const last = await refuseAll();
    await failed;
    assert.ok(last > 24_000 && last < 30_000, `the last try was after ${last} ms`);
  });

  it('sends no part while the client reconnects, and has all tries after that', async () => {
    const failed = assert.rejects(send(10), { name: 'FileTransferError' });
    posts[0]?.answer(502);
    await nextTurn();
    let connect: (waited: boolean) => void = () => undefined;
    reconnected = () => new Promise((resolve) => (connect = resolve));
    timers.advanceToNext();
    await nextTurn();
    posts[1]?.answer(502);
    await nextTurn();
    timers.advance(60_000);
    await nextTurn();
    assert.equal(posts.length, 2);
    reconnected = () => Promise.resolve(false);
    connect(true);
    await nextTurn();
    assert.equal(posts.length, 3);
    const last = await refuseAll();
    await failed;
    assert.ok(last - 60_000 > 24_000, `the last try was after ${last} ms`);
  });

  it('ends the request of an upload that is aborted', async () => {
    const stop = new AbortController();
    const sending = send(10, stop.signal);
    stop.abort(new Error('enough'));
    await assert.rejects(sending, { message: 'enough' });
    assert.deepEqual([posts[0]?.signal?.aborted, timers.pending], [true, 0]);
  });

  it('rejects at once if the upload is aborted during a pause', async () => {
    const stop = new AbortController();
    const sending = send(10, stop.signal);
    posts[0]?.answer(502);
    await nextTurn();
    stop.abort(new Error('enough'));
    await assert.rejects(sending, { message: 'enough' });
    assert.deepEqual([posts.length, timers.pending], [1, 0]);
  });
});

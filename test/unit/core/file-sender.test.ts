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

  beforeEach(() => {
    timers = new ManualTimers();
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
    return new FileSender(timers).send(URL, file, signal, (more) => sent.push(more));
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

  it('tries often enough that a lost network may return within the time that the session waits', async () => {
    const failed = assert.rejects(send(10), { name: 'FileTransferError' });
    // The session cancels an upload after 30 s without a byte.
    const end = timers.now() + 30_000;
    let last = timers.now();
    for (let count = 0; ; count++) {
      posts[count]?.answer(502);
      await nextTurn();
      if (timers.pending === 0) break;
      timers.advanceToNext();
      await nextTurn();
      assert.ok(timers.now() - last <= 4_000, `${timers.now() - last} ms without a try`);
      last = timers.now();
    }
    await failed;
    assert.ok(last > end - 6_000 && last < end, `the last try was ${end - last} ms before the end`);
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

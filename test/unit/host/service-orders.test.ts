import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { CdpError } from '../../../server/src/host/browser/cdp/cdp-session.js';
import { SAVE_TIMEOUT_MS, WRITE_MS } from '../../../server/src/host/browser/launch/chromium.js';
import {
  FINISH_TIMEOUT_MS,
  MAX_WAITING_CHARS,
  ServiceOrders,
  type OrderedSession,
} from '../../../server/src/host/service-orders.js';
import { browserUnavailable } from '../../../server/src/host/room/calls/call-error.js';
import type { Calls } from '../../../server/src/host/room/calls/calls.js';
import type { FromHost } from '../../../server/src/host-protocol.js';
import { END_ANSWER_MS } from '../../../server/src/http/routes/sessions.js';
import { SAVING_STOP_TIMEOUT_MS } from '../../../server/src/pool/host/host-process.js';
import { ManualClock } from '../../fakes/manual-clock.js';

const BOOKMARK = { title: 'A page', url: 'https://example.com/' };

/** Orders of a session whose browser adds bookmarks when `add` is called, and never before. */
function open() {
  const clock = new ManualClock();
  let add: () => void = () => undefined;
  const added = new Promise<void>((resolve) => (add = resolve));
  const session = {
    standby: { during: (work: () => Promise<unknown>) => work() },
    log: { warn: (message: string) => assert.fail(message) },
    workstation: () => ({ bridge: { call: () => added } }),
    isOver: () => false,
  };
  // The orders for bookmarks need no other part of a session.
  const orders = new ServiceOrders(session as unknown as OrderedSession, clock);
  orders.open();
  return { orders, clock, add };
}

/** Records whether a promise has resolved. */
function followed(promise: Promise<void>): { done: boolean } {
  const state = { done: false };
  void promise.then(() => (state.done = true));
  return state;
}

describe('the end of a session', () => {
  it('waits for bookmarks that were accepted', async () => {
    const { orders, clock, add } = open();
    void orders.addBookmarks([BOOKMARK]);
    await turn();
    const end = followed(orders.finish());
    await turn();
    assert.equal(end.done, false);
    add();
    await turn();
    assert.equal(end.done, true);
    assert.equal(clock.pending, 0);
  });

  it('does not wait longer for a browser that does not answer', async () => {
    const { orders, clock } = open();
    void orders.addBookmarks([BOOKMARK]);
    await turn();
    const end = followed(orders.finish());
    clock.advance(FINISH_TIMEOUT_MS);
    await turn();
    assert.equal(end.done, true);
  });

  it('leaves the browser enough time to write its profile before the service kills the host', () => {
    assert.ok(FINISH_TIMEOUT_MS + WRITE_MS + SAVE_TIMEOUT_MS < SAVING_STOP_TIMEOUT_MS);
    const limits: number[] = [SAVING_STOP_TIMEOUT_MS, END_ANSWER_MS];
    assert.deepEqual(
      limits,
      limits.toSorted((a, b) => a - b),
      'clients wait for the end',
    );
  });

  it('does not wait without bookmarks', async () => {
    const { orders, clock } = open();
    await orders.finish();
    assert.equal(clock.pending, 0);
  });
});

describe('bookmarks that arrive while the browser is started again', () => {
  /** Orders of a session whose browser has ended, and the bookmarks that the browsers were asked to add. */
  function openWithoutBrowser() {
    const asked: unknown[] = [];
    const state = { running: false, warnings: 0 };
    const call = async (_name: string, items: unknown) => {
      asked.push(items);
      if (!state.running) throw new CdpError('Runtime.evaluate', 'closed');
    };
    const session = {
      standby: { during: (work: () => Promise<unknown>) => work() },
      log: { warn: () => (state.warnings += 1) },
      workstation: () => ({ bridge: { call } }),
      isOver: () => false,
    };
    // The orders for bookmarks need no other part of a session.
    const orders = new ServiceOrders(session as unknown as OrderedSession, new ManualClock());
    orders.open();
    return { orders, asked, state };
  }

  it('are added by the next browser', async () => {
    const { orders, asked, state } = openWithoutBrowser();
    await orders.addBookmarks([BOOKMARK]);
    state.running = true;
    orders.browserStarted();
    orders.browserStarted();
    await turn();
    assert.deepEqual(asked, [[BOOKMARK], [BOOKMARK]]);
    assert.equal(state.warnings, 0);
  });

  it('are refused if too many wait, until a browser has added the others', async () => {
    const { orders, asked, state } = openWithoutBrowser();
    const large = [{ ...BOOKMARK, title: 'x'.repeat(MAX_WAITING_CHARS - 1_000) }];
    await orders.addBookmarks(large);
    await orders.addBookmarks([{ ...BOOKMARK, title: 'y'.repeat(1_000) }]);
    assert.deepEqual([asked.length, state.warnings], [1, 1]);
    state.running = true;
    orders.browserStarted();
    await turn();
    await orders.addBookmarks(large);
    assert.deepEqual([asked.length, state.warnings], [3, 1]);
  });

  it('are given up if that browser ends too', async () => {
    const { orders, asked, state } = openWithoutBrowser();
    await orders.addBookmarks([BOOKMARK]);
    orders.browserStarted();
    await turn();
    orders.browserStarted();
    await turn();
    assert.deepEqual(asked, [[BOOKMARK], [BOOKMARK]]);
    assert.equal(state.warnings, 1);
  });
});

describe('a call whose client has gone', () => {
  it('learns this', async () => {
    const leaving: (AbortSignal | undefined)[] = [];
    const answers: number[] = [];
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const session = {
      standby: { during: (work: () => Promise<unknown>) => work() },
      calls: {
        ofBackend: (...[, , , signal]: Parameters<Calls['ofBackend']>) => {
          leaving.push(signal);
          return finished;
        },
      },
      tell: (message: FromHost) => answers.push(message.type === 'called' ? message.call : 0),
    };
    // Calls need no other part of a session.
    const orders = new ServiceOrders(session as unknown as OrderedSession, new ManualClock());
    const calls = [1, 2, 3].map((call) => orders.call({ call, method: 'computer.click', args: [] }));
    orders.abandon(1);
    orders.open();
    await turn();
    orders.abandon(2);
    finish();
    await Promise.all(calls);
    orders.abandon(3);
    assert.deepEqual(
      leaving.map((signal) => signal?.aborted),
      [true, true, false],
    );
    assert.deepEqual(answers, [1, 2, 3]);
  });
});

describe('a call that fails', () => {
  /** Returns the codes of the answers to a call that fails before or during the end of the session. */
  async function codesOf(isOver: boolean): Promise<unknown[]> {
    const codes: unknown[] = [];
    const session = {
      standby: { during: (work: () => Promise<unknown>) => work() },
      calls: { ofBackend: () => Promise.reject(browserUnavailable()) },
      tell: (message: FromHost) => codes.push(message.type === 'called' && message.error?.code),
      isOver: () => isOver,
    };
    // Calls need no other part of a session.
    const orders = new ServiceOrders(session as unknown as OrderedSession, new ManualClock());
    orders.open();
    await orders.call({ call: 1, method: 'screenshot', args: [] });
    return codes;
  }

  it('reports the end of the session if the session ends', async () => {
    assert.deepEqual(await codesOf(true), ['err_session_terminated']);
    assert.deepEqual(await codesOf(false), ['err_browser_unavailable']);
  });
});

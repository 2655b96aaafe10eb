import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { ComputerAgent } from '../../../../server/src/host/features/computer/computer-agent.js';
import type { PageReading } from '../../../../server/src/host/features/computer/page/page-reading.js';
import { ProgramCalls } from '../../../../server/src/host/features/computer/program-calls.js';
import type { Screenshots } from '../../../../server/src/host/features/computer/screenshots.js';
import type { FeatureParts } from '../../../../server/src/host/features/feature.js';
import { CommandCounts } from '../../../../server/src/host/room/agents/agent-use.js';
import { clientGone } from '../../../../server/src/host/room/calls/call-error.js';
import { Calls } from '../../../../server/src/host/room/calls/calls.js';
import { firstRights } from '../../../../server/src/host/room/users/rights.js';
import { EndedTokens } from '../../../../server/src/host/room/ended-tokens.js';
import { pause, systemClock } from '../../../../server/src/platform/time/clock.js';
import { PassingTime } from '../../../fakes/passing-time.js';

const SETTINGS = { name: 'Agent', roles: [], holdSeconds: 1, keepAlive: false } as const;

let time: PassingTime;
let calls: Calls;
let programs: ProgramCalls;
let endedTokens: EndedTokens;
/** Called when a picture is taken. */
let onPicture: () => void;
/** Pictures that were taken, and texts that were read. */
let taken: number;
let read: number;
/** Time in which a picture is made. Milliseconds. */
let pictureMs: number;

beforeEach(() => {
  time = new PassingTime();
  [taken, read, pictureMs] = [0, 0, 10];
  endedTokens = new EndedTokens();
  onPicture = () => undefined;
  calls = new Calls(() => false);
  calls.add('dialogs.list', { access: () => undefined, check: () => [] }, () => []);
  const rights = firstRights({ controlDisabled: false, roles: [], tiedRoles: [] }, {});
  const agent = {
    ...{ canRead: true, rights, counts: new CommandCounts(), leave: () => undefined },
    ...{ acted: () => undefined, performs: () => undefined, input: { tap: () => Promise.resolve('done') } },
    perform: (command: () => unknown) => command(),
  };
  const users = { agents: { join: () => agent as unknown as ComputerAgent } };
  const screenshots: Pick<Screenshots, 'take'> = {
    take: async ({ onWork, mayStillSee }) => {
      onPicture();
      mayStillSee();
      await pause(systemClock, pictureMs);
      onWork?.(pictureMs);
      taken += 1;
      return {} as never;
    },
  };
  const reading = {
    needBrowser: () => undefined,
    text: () => {
      read += 1;
      return Promise.resolve({});
    },
    close: () => undefined,
  };
  const parts = { calls, users, clock: systemClock, endedTokens };
  programs = new ProgramCalls(
    parts as unknown as FeatureParts,
    SETTINGS,
    screenshots as Screenshots,
    reading as unknown as PageReading,
  );
});
afterEach(() => {
  programs.close();
  time.restore();
});

const shot = (tokenId = 'a') => calls.ofBackend('computer.screenshot', [{}], { tokenId });
const batch = (type: string, tokenId = 'a') =>
  calls.ofBackend('computer.batch', [{ actions: Array.from({ length: 50 }, () => ({ type })) }], { tokenId });

describe('the text of a page', () => {
  it('is read when the browser has reported what the last action has changed', async () => {
    const keys = calls.ofBackend('computer.key', [{ key: 'Enter' }], { tokenId: 'a' });
    const actions = [{ type: 'key', key: 'Enter' }, { type: 'accessibility' }];
    await time.pass(10);
    await keys;
    const text = (tokenId: string) => calls.ofBackend('computer.accessibility', [{}], { tokenId });
    const [own, others] = [text('a'), text('b')];
    await time.pass(100);
    assert.equal(read, 1);
    await others;
    await time.pass(400);
    await own;
    assert.equal(read, 2);
    const steps = calls.ofBackend('computer.batch', [{ actions }], { tokenId: 'a' });
    await time.pass(100);
    assert.equal(read, 2);
    await time.pass(500);
    await steps;
    assert.equal(read, 3);
  });
});

/** Lets a program take one screenshot after the other for a time. */
async function loop(milliseconds: number, pauseMs = 0, tokenId = 'a'): Promise<number> {
  const from = taken;
  let over = false;
  const taking = async () => {
    while (!over) {
      await shot(tokenId);
      await pause(systemClock, pauseMs);
    }
  };
  void taking();
  await time.pass(milliseconds);
  over = true;
  return taken - from;
}

describe('screenshots of a program', () => {
  it('fail with the reason if the token of the program ends meanwhile', async () => {
    onPicture = () => endedTokens.end('a', 'token_revoked');
    await assert.rejects(shot(), { code: 'err_agent_gone', message: /was revoked/ });
  });

  it('are not taken if their client leaves while they wait', async () => {
    const client = new AbortController();
    onPicture = () => client.abort(clientGone());
    const abandoned = calls.ofBackend('computer.screenshot', [{}], { tokenId: 'a' }, client.signal);
    await assert.rejects(abandoned, { code: 'err_call_failed' });
    assert.equal(taken, 0);
  });

  it('leave nothing behind in the signal of the agent, which stays for days', async () => {
    // Node keeps an entry in each of the given signals, also after the combined signal is gone.
    const { mock: combined } = mock.method(AbortSignal, 'any');
    assert.ok((await loop(1_000)) > 0);
    combined.restore();
    assert.equal(combined.callCount(), 0);
  });

  it('do not wait if it takes one after each act', async () => {
    pictureMs = 100;
    assert.equal(await loop(30_000, 400), 60);
  });

  it('get a share of the time if it takes them without a pause', async () => {
    pictureMs = 500;
    const pictures = await loop(30_000);
    assert.ok(pictures >= 12 && pictures <= 16, `${pictures} pictures of 500 ms in 30 s`);
  });

  it('do not wait because of another program', async () => {
    pictureMs = 200;
    await loop(30_000);
    await time.pass(2_000);
    const from = taken;
    void shot('b');
    await time.pass(pictureMs);
    assert.equal(taken, from + 1);
  });

  for (const type of ['screenshot', 'accessibility'])
    it(`have the rate of calls in a batch: ${type}`, async () => {
      void batch(type);
      await time.pass(5_000);
      const steps = taken + read;
      assert.ok(steps >= 25 && steps <= 36, `${steps} steps in 5 s`);
    });
});

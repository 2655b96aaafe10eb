import assert from 'node:assert/strict';
import { ask, type Access } from '../../support/nodes.js';
import { view } from '../../support/raw-viewer.js';
import type { Fault, Figure } from '../fault.js';
import { monotonicNow } from '../monotonic.js';
import type { Stage } from '../stage.js';
import { assertRunning, oneOnEach, pause, stateOf, until } from '../waiting.js';

/** Results of an outage that are not findings of the history checker. */
interface Outage {
  begin: (stage: Stage) => Promise<void>;
  end: (stage: Stage) => Promise<void>;
  /** Duration in milliseconds. */
  length: number;
}

/** Interrupts the database. Checks creates, sessions, viewers and usage during and after the outage. */
async function away(stage: Stage, { begin, end, length }: Outage): Promise<Figure[]> {
  const { history } = stage;
  const urls = stage.nodes.map(({ url }) => url);
  const sessions = await oneOnEach(stage, 'own');
  const measured: Access[] = [];
  for (const url of urls) measured.push(await history.begin(url, { tenant: 'measured' }));
  stage.play();
  await pause(1_000);
  const since = monotonicNow();
  await begin(stage);
  const struck = monotonicNow();
  const [ended] = measured;
  assert.ok(ended);
  let refused = 0;
  let slowest = 0;
  while (monotonicNow() < struck + length) {
    for (const [index, url] of urls.entries()) {
      const created = await history.create(url, {});
      assert.equal(created.code, 'err_database', JSON.stringify(created.answer));
      assert.ok(Number(created.answer?.retryAfter) > 0);
      refused++;
      slowest = Math.max(slowest, created.milliseconds);
      const session = sessions[index];
      assert.ok(session);
      await assertRunning([url], sessions);
      assert.ok((await view(url, session.embed_url)).pid > 0);
    }
    if (!history.ended.has(ended.session_id))
      assert.equal(await history.end(stage.ownerOf(ended.session_id).url, ended.session_id), 200);
    await pause(300);
  }
  await end(stage);
  const back = monotonicNow();
  await Promise.all(
    urls.map((url) =>
      until('creates are granted again', 20, async () => {
        const { session } = await history.create(url, {});
        return session !== undefined;
      }),
    ),
  );
  const recovered = (monotonicNow() - back) / 1_000;
  const lag = await stage.lagSince(since);
  await pause(3_000);
  await assertRunning(urls, [...sessions, ...measured.slice(1)]);
  for (const { session_id: id } of measured.slice(1)) assert.equal(await history.end(urls[0] ?? '', id), 200);
  return [
    { what: `${refused} creates refused, the slowest in`, seen: slowest, unit: 'ms', most: 2_000 },
    { what: 'event loops late by at most', seen: lag, unit: 'ms', most: 100 },
    { what: 'granted again after', seen: recovered, unit: 's', most: 5 },
    await usageError(stage, measured),
  ];
}

/** Difference between the usage that the service reports and the hosts' records. */
async function usageError(stage: Stage, measured: readonly Access[]): Promise<Figure> {
  for (const { session_id: id } of measured)
    await until('a record is ended', 20, async () =>
      (await stateOf(stage.at(0).url, id)).startsWith('ended'),
    );
  let expected = 0;
  for (const { session_id: id } of measured) {
    const { from, until: end } = await stage.lifeOf(id);
    expected += (end - from) / 1_000;
  }
  let told = 0;
  // The service writes the usage after it answers for the record.
  const differs = () => Math.abs(told - expected) > 1;
  await until('usage is written', 10, async () => {
    const { body } = await ask(stage.at(1).url, 'GET', '/v0/vm/usage?tenant_id=measured');
    const { usage } = body as { usage: { seconds: number }[] };
    told = usage.reduce((sum, { seconds }) => sum + seconds, 0);
    return !differs();
  }).catch(() => undefined);
  return {
    what: `usage of ${Math.round(expected)} s is off by`,
    seen: Math.abs(told - expected),
    unit: 's',
    most: 1,
    exact: true,
  };
}

const BECAME =
  'Creates get 503 `err_database` with `Retry-After`. Running sessions continue. They can be listed, watched and ended. No session is lost.';

/** The database stops answering. Connections stay open. */
export function frozenDatabase(seconds: number): Fault {
  return {
    name: `the database is frozen for ${seconds} s`,
    seconds: seconds + 90,
    run: async (stage) => ({
      became: BECAME,
      figures: await away(stage, {
        begin: ({ postgres }) => postgres.freeze(),
        end: ({ postgres }) => postgres.thaw(),
        length: seconds * 1_000,
      }),
    }),
  };
}

/** The database crashes and is started again. */
export const KILLED_DATABASE: Fault = {
  name: 'the database is killed, and started again after 10 s',
  seconds: 90,
  run: async (stage) => ({
    became: BECAME,
    figures: await away(stage, {
      begin: ({ postgres }) => postgres.kill(),
      end: ({ postgres }) => postgres.launch(),
      length: 10_000,
    }),
  }),
};

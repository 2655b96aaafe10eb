import assert from 'node:assert/strict';
import { TestPostgres } from '../../../database/support/postgres.js';
import type { Access } from '../../support/nodes.js';
import { PROXIES } from '../../support/proxies.js';
import { view } from '../../support/raw-viewer.js';
import type { Fault } from '../fault.js';
import { Forwarder } from '../forwarder.js';
import { monotonicNow } from '../monotonic.js';
import { assertRunning, claim, oneOnEach, pause, stateOf, tagIn, until } from '../waiting.js';

/** The database's machine is lost. Its standby takes over the address. */
export function failedOver(): Fault {
  let forwarder: Forwarder | undefined;
  return {
    name: 'the database fails over to its synchronous standby',
    seconds: 120,
    stage: {
      async databaseUrl(postgres) {
        forwarder = await Forwarder.start(postgres.port);
        const url = new URL(await postgres.createDatabase());
        url.port = String(forwarder.port);
        return url.href;
      },
    },
    async run(stage) {
      const { postgres, history } = stage;
      assert.ok(forwarder);
      let standby: TestPostgres | undefined;
      try {
        standby = await TestPostgres.follow(postgres);
        await postgres.sql("alter system set synchronous_standby_names = '*'");
        await postgres.sql('select pg_reload_conf()');
        await until('it is followed synchronously', 10, async () => {
          const rows = await postgres.sql("select 1 from pg_stat_replication where sync_state = 'sync'");
          return rows.length === 1;
        });
        const urls = stage.nodes.map(({ url }) => url);
        const sessions = await oneOnEach(stage, 'own');
        const [first] = sessions;
        assert.ok(first);
        stage.play();
        await pause(3_000);
        const since = monotonicNow();
        // Sessions answered before this point must exist afterwards.
        const ended: Access[] = [];
        for (const url of urls) ended.push(await history.begin(url, {}));
        for (const { session_id: id } of ended) assert.equal(await history.end(urls[0] ?? '', id), 200);
        await postgres.kill();
        const killed = monotonicNow();
        await pause(2_000);
        await standby.promote();
        await standby.sql('alter system reset synchronous_standby_names');
        await standby.sql('select pg_reload_conf()');
        forwarder.lead(standby.port);
        const promoted = monotonicNow();
        await Promise.all(
          urls.map((url) =>
            until('creates are granted again', 20, async () => {
              const { session } = await history.create(url, {});
              return session !== undefined;
            }),
          ),
        );
        const recovered = (monotonicNow() - promoted) / 1_000;
        await assertRunning(urls, sessions);
        for (const { session_id: id } of ended)
          await until('records are there', 10, async () =>
            (await stateOf(urls[1] ?? '', id)).startsWith('ended'),
          );
        const { session } = await history.create(urls[0] ?? '', { tag: tagIn(stage, first) });
        assert.equal(session?.session_id, first.session_id);
        const lag = await stage.lagSince(since);
        const { operations } = history;
        const acknowledged = operations.filter((one) => one.outcome === 'ok' && one.until < killed).length;
        const problems = await stage.judge();
        assert.deepEqual(problems, []);
        return {
          became: `No session ends. All placements, tags and records of the ${acknowledged} creates answered before are still there.`,
          figures: [
            { what: 'granted again after the promotion', seen: recovered, unit: 's', most: 5 },
            { what: 'event loops late by at most', seen: lag, unit: 'ms', most: 100 },
          ],
        };
      } finally {
        forwarder.close();
        await standby?.stop();
      }
    },
  };
}

/** Clock error of each node. */
const OFFSETS = ['+1h', '', '-1h'];
/** `$LIB`: the loader knows. */
const FAKETIME = '/usr/$LIB/faketime/libfaketimeMT.so.1';

/** The nodes' clocks are hours apart. */
export const SKEWED: Fault = {
  name: 'the system clocks of two nodes are wrong by an hour, one fast and one slow',
  seconds: 120,
  stage: {
    environment: (index) => {
      const offset = OFFSETS[index] ?? '';
      if (offset === '') return {};
      return { LD_PRELOAD: FAKETIME, FAKETIME: offset, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
    },
  },
  async run(stage) {
    const urls = stage.nodes.map(({ url }) => url);
    const sessions = await oneOnEach(stage, 'own');
    stage.play();
    const started = monotonicNow();
    while (monotonicNow() < started + 15_000) {
      await assertRunning(urls, sessions);
      for (const url of urls)
        for (const { embed_url: embedUrl } of sessions) assert.ok((await view(url, embedUrl)).pid > 0);
      await pause(500);
    }
    assert.deepEqual(await stage.judge(), []);
    assert.ok(stage.history.operations.every(({ outcome }) => outcome === 'ok'));
    const [first] = sessions;
    assert.ok(first);
    const victim = stage.ownerOf(first.session_id);
    stage.strike(victim);
    await victim.kill();
    const since = monotonicNow();
    const restart = victim.start();
    const { seconds } = await claim(
      stage,
      stage.others(victim).map(({ url }) => url),
      {
        ...{ tag: tagIn(stage, first), not: first.session_id, since, limit: 50 },
      },
    );
    await restart;
    const [, kept] = sessions;
    assert.ok(kept);
    const { from } = await stage.lifeOf(kept.session_id);
    assert.equal(await stage.history.end(urls[0] ?? '', kept.session_id), 200);
    const lasted = ((await stage.lifeOf(kept.session_id)).until - from) / 1_000;
    const [row] = await stage.postgres.sql(
      `select used_microseconds[1] / 1e6 as seconds from sessions where id = '${kept.session_id}'`,
      stage.databaseUrl,
    );
    return {
      became: 'No effect. Nodes accept each other’s requests, no lease is late, and every create succeeds.',
      figures: [
        { what: 'tags of a killed one are free after', seen: seconds, unit: 's', most: 5 },
        {
          what: `usage of ${Math.round(lasted)} s is off by`,
          seen: Math.abs(Number(row?.['seconds']) - lasted),
          unit: 's',
          most: 1,
          exact: true,
        },
      ],
    };
  },
};

/** An upgrade, one node after the other. */
export const ROLLING: Fault = {
  name: 'three nodes behind HAProxy are restarted one after the other, under load',
  seconds: 180,
  stage: { environment: () => ({ TRUST_PROXY: '1' }) },
  async run(stage) {
    const proxy = await PROXIES.HAProxy({ all: stage.nodes });
    try {
      stage.play(() => [proxy.url]);
      await pause(2_000);
      const began = monotonicNow();
      for (const node of stage.nodes) {
        stage.strike(node);
        await node.stop();
        await node.start();
      }
      const seconds = (monotonicNow() - began) / 1_000;
      const problems = await stage.judge();
      assert.deepEqual(problems, []);
      const { creates } = stage.history;
      const bad = creates.filter(
        ({ answer }) => !answer || (answer.status !== 200 && !(answer.status === 503 && answer.retryAfter)),
      );
      const refused = creates.filter(({ answer }) => answer?.status === 503).length;
      return {
        became: 'Each create gets a session, or 503 with `Retry-After`.',
        figures: [
          { what: 'creates lost', seen: bad.length, unit: '', most: 0 },
          { what: 'refused', seen: refused, unit: '' },
          { what: 'the three took', seen: seconds, unit: 's' },
        ],
      };
    } finally {
      await proxy.stop();
    }
  },
};

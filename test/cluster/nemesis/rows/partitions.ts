import assert from 'node:assert/strict';
import type { Fault } from '../fault.js';
import { monotonicNow } from '../monotonic.js';
import { assertRunning, claim, oneOnEach, pause, settle, stateOf, tagIn, until } from '../waiting.js';

/** One node loses the connection to the database. The others keep it. */
export const CUT_OFF: Fault = {
  name: 'packets between one node and the database are dropped for 75 s',
  stage: { network: true },
  seconds: 240,
  async run(stage) {
    const { network } = stage;
    assert.ok(network);
    const [tagged, ...rest] = await oneOnEach(stage, 'own');
    const [untagged] = await oneOnEach(stage);
    assert.ok(tagged && untagged);
    const victim = stage.ownerOf(tagged.session_id);
    const urls = stage.others(victim).map(({ url }) => url);
    stage.play();
    await settle();
    stage.strike(victim);
    const since = monotonicNow();
    await network.cut(stage.machine(stage.nodes.indexOf(victim)), stage.machine(-1));
    const { seconds, refused } = await claim(stage, urls, {
      ...{ tag: tagIn(stage, tagged), not: tagged.session_id, since, limit: 75 },
    });
    const fenced = ((await stage.lifeOf(tagged.session_id)).until - since) / 1_000;
    assert.ok(refused.has('err_tag_busy'));
    assert.equal(await stateOf(victim.url, untagged.session_id), 'running');
    await assertRunning(urls, rest);
    await pause(Math.max(0, since + 75_000 - monotonicNow()));
    const healed = monotonicNow();
    await network.heal();
    await until('the node takes creates again', 30, async () => {
      const { session } = await stage.history.create(victim.url, {});
      return session !== undefined;
    });
    const recovered = (monotonicNow() - healed) / 1_000;
    for (const url of urls)
      await until(
        'its sessions are told of',
        5,
        async () => (await stateOf(url, untagged.session_id)) === 'running',
      );
    return {
      became:
        'The node ends its sessions with tags after 50 s, before other sessions can get the tags. Sessions without tags continue, and are listed again afterwards.',
      figures: [
        { what: 'sessions with tags end after', seen: fenced, unit: 's', most: 52 },
        { what: 'the tags are free after', seen: seconds, unit: 's', most: 65 },
        { what: 'creates granted again after', seen: recovered, unit: 's', most: 5 },
      ],
    };
  },
};

/** Two nodes lose the connection to each other. Both keep the database. */
export const APART: Fault = {
  name: 'packets between two nodes are dropped for 20 s',
  stage: { network: true },
  seconds: 120,
  async run(stage) {
    const { network } = stage;
    assert.ok(network);
    const sessions = await oneOnEach(stage, 'own');
    const [first] = sessions;
    assert.ok(first);
    const one = stage.ownerOf(first.session_id);
    const [other, third] = stage.others(one);
    assert.ok(other && third);
    stage.play();
    await pause(1_000);
    const since = monotonicNow();
    await network.cut(stage.machine(stage.nodes.indexOf(one)), stage.machine(stage.nodes.indexOf(other)));
    let slowest = 0;
    const codes = new Set<string>();
    while (monotonicNow() < since + 20_000) {
      const { code, session, milliseconds } = await stage.history.create(other.url, {
        ...{ tag: tagIn(stage, first), limit: 35_000 },
      });
      assert.equal(session, undefined);
      if (code !== undefined) codes.add(code);
      slowest = Math.max(slowest, milliseconds);
      await assertRunning([third.url], sessions);
      await pause(300);
    }
    assert.deepEqual([...codes], ['err_node_unreachable']);
    const healed = monotonicNow();
    await network.heal();
    const { session, seconds } = await claim(stage, [other.url], {
      ...{ tag: tagIn(stage, first), since: healed, limit: 40 },
    });
    assert.equal(session.session_id, first.session_id);
    await assertRunning(
      stage.nodes.map(({ url }) => url),
      sessions,
    );
    return {
      became:
        'No session ends, and no node is declared lost. Requests that one node must forward to the other get 503 `err_node_unreachable`. A third node reaches both.',
      figures: [
        { what: 'the slowest refusal', seen: slowest, unit: 'ms', most: 3_000 },
        { what: 'all requests succeed again after', seen: seconds, unit: 's', most: 5 },
      ],
    };
  },
};

import assert from 'node:assert/strict';
import type { Fault } from '../fault.js';
import { monotonicNow } from '../monotonic.js';
import {
  assertRunning,
  chooseVictim,
  claim,
  oneOnEach,
  pause,
  settle,
  stateOf,
  tagIn,
  until,
} from '../waiting.js';

/** What somebody is told who asks for a tag whose session may be gone. */
const WAITING = ['err_tag_busy', 'err_node_unreachable', 'err_session_failed', 'err_unavailable'];

function assertWaiting(refused: ReadonlySet<string>): void {
  for (const code of refused) assert.ok(WAITING.includes(code), `${code} was answered for the tag`);
}

/** A node is killed, and its machine starts it again at once. */
export const KILLED: Fault = {
  name: 'a node is killed and started again',
  seconds: 90,
  async run(stage) {
    const { first, rest, victim, urls } = await chooseVictim(stage);
    stage.play(() => urls);
    await pause(1_000);
    stage.strike(victim);
    await victim.kill();
    const since = monotonicNow();
    const started = victim.start();
    const { seconds, refused } = await claim(stage, urls, {
      ...{ tag: tagIn(stage, first), not: first.session_id, since, limit: 50 },
    });
    await started;
    assertWaiting(refused);
    await assertRunning([...urls, victim.url], rest);
    assert.match(await stateOf(victim.url, first.session_id), /^ended/);
    return {
      became: 'Its sessions have ended with it, in the records as well; sessions of other nodes go on.',
      figures: [{ what: 'its tags are free after', seen: seconds, unit: 's', most: 5 }],
    };
  },
};

/** A node is killed for good. */
export const LOST: Fault = {
  name: 'a node is killed and stays away',
  seconds: 180,
  async run(stage) {
    const { first, rest, victim, urls } = await chooseVictim(stage);
    stage.play(() => urls);
    await settle();
    stage.strike(victim);
    const since = monotonicNow();
    await victim.kill();
    const { seconds, refused } = await claim(stage, urls, {
      ...{ tag: tagIn(stage, first), not: first.session_id, since, limit: 90 },
    });
    assertWaiting(refused);
    assert.ok(refused.has('err_tag_busy'));
    await assertRunning(urls, rest);
    await until('the record is ended', 15, async () =>
      (await stateOf(urls[0] ?? '', first.session_id)).startsWith('ended'),
    );
    return {
      became: 'Its tags answer 503 `err_tag_busy` until it is declared lost; sessions of other nodes go on.',
      figures: [{ what: 'its tags are free after', seen: seconds, unit: 's', most: 65 }],
    };
  },
};

/** A machine stands still, shorter than it takes to be lost. */
export const FROZEN: Fault = {
  name: 'a machine stands still for 30 s',
  seconds: 90,
  run: async (stage) => {
    const { first: tagged, rest, victim, urls } = await chooseVictim(stage);
    const [untagged] = await oneOnEach(stage);
    assert.ok(untagged);
    const tag = tagIn(stage, tagged);
    stage.play();
    const since = monotonicNow();
    await stage.freeze(victim);
    const refused = new Set<string>();
    while (monotonicNow() < since + 30_000) {
      // Until its node is late it is asked for the session, and waited for.
      const { code, session } = await stage.history.create(urls[0] ?? '', { tag, limit: 7_000 });
      assert.equal(session, undefined);
      if (code !== undefined) refused.add(code);
      await pause(500);
    }
    assertWaiting(refused);
    assert.ok(refused.has('err_tag_busy'), [...refused].join());
    await assertRunning(urls, rest);
    const thawed = monotonicNow();
    await stage.thaw(victim);
    const { session, seconds } = await claim(stage, urls, { tag, since: thawed, limit: 20 });
    assert.equal(session.session_id, tagged.session_id);
    await assertRunning([...urls, victim.url], [tagged, untagged, ...rest]);
    return {
      became: 'All of its sessions go on afterwards. Meanwhile its tags answer 503 `err_tag_busy`.',
      figures: [{ what: 'its sessions answer again after', seen: seconds, unit: 's', most: 5 }],
    };
  },
};

/** A machine stands still until it is lost, and comes back. */
export const FROZEN_LONG: Fault = {
  name: 'a machine stands still for 90 s',
  seconds: 240,
  run: async (stage) => {
    const [tagged, ...rest] = await oneOnEach(stage, 'own');
    const [kept] = await oneOnEach(stage, 'kept');
    const [untagged] = await oneOnEach(stage);
    assert.ok(tagged && untagged && kept);
    const victim = stage.ownerOf(tagged.session_id);
    const urls = stage.others(victim).map(({ url }) => url);
    stage.play();
    await settle();
    stage.strike(victim);
    const since = monotonicNow();
    await stage.freeze(victim);
    const taken = await claim(stage, urls, {
      ...{ tag: tagIn(stage, tagged), not: tagged.session_id, since, limit: 85 },
    });
    assertWaiting(taken.refused);
    await pause(Math.max(0, since + 90_000 - monotonicNow()));
    const thawed = monotonicNow();
    await stage.thaw(victim);
    await until('the former session has ended', 20, async () =>
      Number.isFinite((await stage.lifeOf(tagged.session_id)).until),
    );
    const ended = ((await stage.lifeOf(tagged.session_id)).until - thawed) / 1_000;
    const back = await claim(stage, urls, { tag: tagIn(stage, kept), since: thawed, limit: 20 });
    assert.equal(back.session.session_id, kept.session_id);
    // Each node learns by itself, at its next look, that the other one is back.
    for (const url of urls)
      await until(
        'its other sessions are told of',
        5,
        async () => (await stateOf(url, untagged.session_id)) === 'running',
      );
    await assertRunning([...urls, victim.url], [untagged, kept, taken.session, ...rest]);
    return {
      became:
        'A tag that somebody else has taken meanwhile stays there, and the former session ends as `superseded`. All its other sessions go on, with tags or without.',
      figures: [
        { what: 'its tags are free after', seen: taken.seconds, unit: 's', most: 65 },
        { what: 'superseded ended after the thaw', seen: ended, unit: 's', most: 5 },
        { what: 'the others answer after the thaw', seen: back.seconds, unit: 's', most: 5 },
      ],
    };
  },
};

/** Two processes of one name. */
export const TWICE: Fault = {
  name: "a node's name is used twice",
  seconds: 90,
  async run(stage) {
    const { first, rest, victim: older, urls } = await chooseVictim(stage);
    const index = stage.nodes.indexOf(older);
    stage.play(() => urls);
    await pause(1_000);
    stage.strike(older);
    const newer = await stage.makeNode(index, 'twin');
    stage.nodes.push(newer);
    await newer.start();
    const joined = monotonicNow();
    await older.ended();
    const ended = (monotonicNow() - joined) / 1_000;
    const { seconds } = await claim(stage, urls, {
      ...{ tag: tagIn(stage, first), not: first.session_id, since: joined, limit: 50 },
    });
    await assertRunning([...urls, newer.url], rest);
    assert.equal((await stage.history.create(newer.url, {})).answer?.status, 200);
    return {
      became:
        'The newer process is the node. The older one ends, and its sessions with it; before that nobody has their tags.',
      figures: [
        { what: 'the older has ended after', seen: ended, unit: 's', most: 10 },
        { what: 'its tags are free after', seen: seconds, unit: 's', most: 5 },
      ],
    };
  },
};

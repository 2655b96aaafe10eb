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

/** Error codes for a create with a tag whose session may be lost. */
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
      became: 'Its sessions end, in the records too. Sessions of other nodes continue.',
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
      became:
        'Creates with its tags get 503 `err_tag_busy` until the node is declared lost. Sessions of other nodes continue.',
      figures: [{ what: 'its tags are free after', seen: seconds, unit: 's', most: 65 }],
    };
  },
};

/** A machine is paused for less time than a node needs to be declared lost. */
export const FROZEN: Fault = {
  name: 'a machine is frozen for 30 s',
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
      // Until the node is late, the create asks it for the session and waits for the answer.
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
      became:
        'All of its sessions continue afterwards. Meanwhile creates with its tags get 503 `err_tag_busy`.',
      figures: [{ what: 'its sessions answer again after', seen: seconds, unit: 's', most: 5 }],
    };
  },
};

/** A machine is paused until its node is declared lost, and then resumes. */
export const FROZEN_LONG: Fault = {
  name: 'a machine is frozen for 90 s',
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
    // Each node notices the return of the other one at its next check.
    for (const url of urls)
      await until(
        'its other sessions are told of',
        5,
        async () => (await stateOf(url, untagged.session_id)) === 'running',
      );
    await assertRunning([...urls, victim.url], [untagged, kept, taken.session, ...rest]);
    return {
      became:
        'If another session got a tag meanwhile, it keeps the tag, and the earlier session ends as `superseded`. All other sessions of the node continue, with tags or without.',
      figures: [
        { what: 'its tags are free after', seen: taken.seconds, unit: 's', most: 65 },
        { what: 'superseded ended after the thaw', seen: ended, unit: 's', most: 5 },
        { what: 'the others answer after the thaw', seen: back.seconds, unit: 's', most: 5 },
      ],
    };
  },
};

/** Two processes with the same node name. */
export const TWICE: Fault = {
  name: 'two processes use the same node name',
  seconds: 90,
  async run(stage) {
    const { first, rest, victim: older, urls } = await chooseVictim(stage);
    const index = stage.nodes.indexOf(older);
    stage.play(() => urls);
    await pause(1_000);
    const newer = await stage.makeNode(index, 'twin');
    await assert.rejects(newer.start(), /did not start/);
    await assertRunning([...urls, older.url], [first, ...rest]);
    assert.equal((await stage.history.create(older.url, {})).answer?.status, 200);
    return {
      became: 'The newer process is refused and ends. The older process continues, with all its sessions.',
      figures: [],
    };
  },
};

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { SessionUser } from 'cloud-browser/protocol';
import { FakeRoom, until, type RawClient } from '../../../fakes/fake-room.js';
import { ManualClock } from '../../../fakes/manual-clock.js';
import { PRIVACY_AWAY_MS } from '../../../../server/src/host/features/privacy/privacy-mode.js';

/** The longest privacy mode of the session, in milliseconds. */
const LIMIT = 600_000;
const MINUTE = 60_000;

let clock: ManualClock;
let room: FakeRoom;
let admin: RawClient;
let one: RawClient;
let two: RawClient;
beforeEach(async () => {
  clock = new ManualClock();
  room = await FakeRoom.open({ privacyTimeout: LIMIT / 1000 }, clock);
  [admin, one, two] = [await room.enter(), await room.enter(), await room.enter()];
});
afterEach(() => room.close());

/** Finds users whose input is processed: each moves the pointer to a different place. */
async function whoMoves(): Promise<string[]> {
  const clients = { admin, one, two };
  const moved: string[] = [];
  room.display.length = 0;
  for (const [index, [name, client]] of Object.entries(clients).entries()) {
    client.move(index, 0);
    await client.settled();
    if (room.display.at(-1) === `move ${index} 0`) moved.push(name);
  }
  return moved;
}

describe('control', () => {
  it('requests are reported only to admins', async () => {
    await admin.admin('subscribe', 'control.onRequested');
    await two.call('subscribe', ['control.onRequested']);
    await one.call('control.request');
    await until(() => admin.events.length === 1);
    assert.equal((admin.events[0]?.args[0] as SessionUser).id, one.id);
    assert.deepEqual(two.events, []);
  });

  it('can be handed over repeatedly, whatever the rights, and returns to the priorities', async () => {
    await admin.admin('setPermissions', admin.id, { priority: 5 });
    await admin.admin('setPermissions', one.id, { control_disabled: true });
    await admin.admin('control.give', one.id);
    assert.deepEqual(await whoMoves(), ['one']);
    await one.call('control.give', [two.id]);
    assert.deepEqual(await whoMoves(), ['two']);
    await admin.admin('control.take');
    assert.deepEqual(await whoMoves(), ['admin']);
    await admin.admin('control.give', null);
    await admin.admin('setPermissions', admin.id, { priority: 0 });
    assert.deepEqual(await whoMoves(), ['admin', 'two']);
  });

  it('cannot be given by a user who shares it, or to a user without the right', async () => {
    assert.equal(await one.refusal('control.give', two.id), 'err_forbidden');
    await admin.admin('control.give', one.id);
    await admin.admin('removeRoles', [two.id], ['control']);
    assert.equal(await one.refusal('control.give', two.id), 'err_forbidden');
    assert.equal(await one.refusal('control.give', null), 'err_forbidden');
    assert.deepEqual(await whoMoves(), ['one']);
  });

  it('that was handed over is lost when the right is taken away by name', async () => {
    for (const take of [
      () => admin.admin('setPermissions', one.id, { control_disabled: true }),
      () => admin.admin('removeRoles', [one.id], ['control']),
    ]) {
      await admin.admin('control.give', one.id);
      await take();
      assert.deepEqual(await whoMoves(), ['admin', 'two']);
    }
  });

  it('cannot be given to an absent user', async () => {
    await admin.admin('subscribe', 'users.onLeft');
    two.socket.terminate();
    await until(() => admin.events.length === 1);
    await assert.rejects(admin.admin('control.give', two.id), /is not connected/);
    await assert.rejects(admin.admin('control.give', 'nobody'), /no user nobody/);
  });
});

describe('privacy mode', () => {
  const noticesOf = ({ told }: RawClient) =>
    told.filter((message) => message.type === 'privacy').map(({ userId }) => userId);
  const warningsOf = ({ told }: RawClient) =>
    told.filter((message) => message.type === 'privacy' && message.ending === true).length;
  const endsOf = ({ told }: RawClient) =>
    told.filter((message) => message.type === 'notice' && message.kind === 'privacy-ended').length;

  it('excludes other users, also new ones, until it is off', async () => {
    await admin.admin('addRoles', [two.id], ['cursor_data']);
    await two.call('subscribe', ['users.onPointer']);
    assert.equal(await one.refusal('enablePrivacyMode'), undefined);
    const late = await room.enter();
    room.room.showCursor({ type: 'cursor', shape: 'none' });
    assert.deepEqual(await whoMoves(), ['one']);
    await late.settled();
    assert.deepEqual([noticesOf(two), noticesOf(late)], [[one.id], [one.id]]);
    assert.deepEqual(two.events, []);
    for (const { told } of [two, late]) assert.ok(!told.some(({ type }) => type === 'cursor'));
    assert.deepEqual(room.restarted, []);

    assert.equal(await two.refusal('disablePrivacyMode'), 'err_forbidden');
    assert.equal(await two.refusal('enablePrivacyMode'), 'err_forbidden');
    await one.call('disablePrivacyMode');
    await late.settled();
    assert.deepEqual(noticesOf(late), [one.id, null]);
    assert.ok(late.told.some(({ type }) => type === 'cursor'));
    assert.deepEqual(room.restarted, [admin.id, two.id, late.id]);
    assert.deepEqual(await whoMoves(), ['admin', 'one', 'two']);
  });

  it('ends when its user leaves, and when an admin ends it', async () => {
    await one.call('enablePrivacyMode');
    await admin.admin('disablePrivacyMode');
    await one.settled();
    assert.deepEqual(endsOf(one), 1);
    assert.deepEqual(await whoMoves(), ['admin', 'one', 'two']);
    clock.advance(MINUTE);
    await two.call('enablePrivacyMode');
    two.socket.close(1000);
    await until(() => noticesOf(one).length === 4);
    assert.deepEqual(noticesOf(one), [one.id, null, two.id, null]);
  });

  it('continues while a lost connection may return, and then ends', async () => {
    await one.call('enablePrivacyMode');
    one.socket.terminate();
    await until(() => room.told.includes(`left ${one.id}`));
    clock.advance(PRIVACY_AWAY_MS - 1);
    await two.settled();
    assert.deepEqual(noticesOf(two), [one.id]);
    const again = await room.enter({ resume: { userId: one.id, secret: one.welcome?.secret } });
    await again.settled();
    clock.advance(PRIVACY_AWAY_MS);
    await two.settled();
    assert.deepEqual([noticesOf(again), noticesOf(two)], [[one.id], [one.id]]);
    again.socket.terminate();
    await until(() => room.told.filter((told) => told === `left ${one.id}`).length === 2);
    clock.advance(PRIVACY_AWAY_MS);
    await two.settled();
    assert.deepEqual(noticesOf(two), [one.id, null]);
  });

  it('is reported with its elapsed and maximum time, also to later users', async () => {
    await one.call('enablePrivacyMode');
    clock.advance(MINUTE);
    const late = await room.enter();
    await late.settled();
    assert.deepEqual(
      late.told.find(({ type }) => type === 'privacy'),
      { type: 'privacy', userId: one.id, elapsed: MINUTE, remaining: LIMIT - MINUTE },
    );
    const users = await admin.admin('users.list');
    assert.deepEqual(
      users.map(({ id, privacy }) => [id === one.id, privacy]),
      [
        [false, undefined],
        [true, { since: '2030-01-01T00:00:00.000Z', until: '2030-01-01T00:10:00.000Z' }],
        [false, undefined],
        [false, undefined],
      ],
    );
  });

  // Proves: privacy_timeout
  it('warns only its user a minute before its end, and ends', async () => {
    await one.call('enablePrivacyMode');
    clock.advance(LIMIT - MINUTE);
    await Promise.all([one.settled(), two.settled()]);
    assert.deepEqual([warningsOf(one), warningsOf(two), noticesOf(two)], [1, 0, [one.id]]);
    clock.advance(MINUTE);
    await Promise.all([one.settled(), two.settled()]);
    assert.deepEqual([endsOf(one), endsOf(two), noticesOf(two)], [1, 0, [one.id, null]]);
    assert.deepEqual(await whoMoves(), ['admin', 'one', 'two']);
  });

  it('can be renewed twice after the warning, and by an admin at any time', async () => {
    await one.call('enablePrivacyMode');
    assert.equal(await one.refusal('enablePrivacyMode'), undefined);
    clock.advance(LIMIT - MINUTE);
    for (let renewal = 0; renewal < 2; renewal++) {
      assert.equal(await one.refusal('enablePrivacyMode'), undefined);
      clock.advance(LIMIT - MINUTE);
      await two.settled();
      assert.equal(noticesOf(two).at(-1), one.id);
    }
    assert.equal(await one.refusal('enablePrivacyMode'), 'err_privacy_limit');
    await one.admin('enablePrivacyMode');
    clock.advance(LIMIT - MINUTE);
    await two.settled();
    assert.equal(noticesOf(two).at(-1), one.id);
    clock.advance(MINUTE);
    await two.settled();
    assert.equal(noticesOf(two).at(-1), null);
  });

  it('has a pause before the next start, for any user', async () => {
    await one.call('enablePrivacyMode');
    clock.advance(LIMIT - MINUTE);
    clock.advance(MINUTE);
    for (const next of [one, two]) assert.equal(await next.refusal('enablePrivacyMode'), 'err_privacy_limit');
    clock.advance(MINUTE - 1);
    assert.equal(await one.refusal('enablePrivacyMode'), 'err_privacy_limit');
    clock.advance(1);
    assert.equal(await two.refusal('enablePrivacyMode'), undefined);
    clock.advance(5_000);
    await two.call('disablePrivacyMode');
    clock.advance(4_999);
    assert.equal(await two.refusal('enablePrivacyMode'), 'err_privacy_limit');
    await admin.admin('enablePrivacyMode');
    await two.settled();
    assert.equal(noticesOf(two).at(-1), admin.id);
  });

  it('ends when its user loses the role or control, or hands control over', async () => {
    const takes: (() => Promise<unknown>)[] = [
      () => admin.admin('removeRoles', [one.id], ['privacy']),
      () => admin.admin('removeRoles', [one.id], ['control']),
      () => admin.admin('setPermissions', one.id, { control_disabled: true }),
      () => admin.admin('control.take'),
      () => one.call('control.give', [two.id]),
    ];
    for (const [index, take] of takes.entries()) {
      await admin.admin('control.give', null);
      await admin.admin('addRoles', [one.id], ['privacy', 'control']);
      await admin.admin('setPermissions', one.id, { control_disabled: false });
      assert.equal(await one.refusal('enablePrivacyMode'), undefined, `${index}`);
      await take();
      await two.settled();
      assert.equal(noticesOf(two).at(-1), null, `${index}`);
      clock.advance(MINUTE);
    }
    assert.ok((await whoMoves()).includes('two'));
  });

  // Proves: privacy_timeout; role privacy
  it('needs the role, and can be unlimited', async () => {
    await admin.admin('removeRoles', [one.id], ['privacy']);
    assert.equal(await one.refusal('enablePrivacyMode'), 'err_forbidden');
    room.close();
    room = await FakeRoom.open({ privacyTimeout: null }, clock);
    [one, two] = [await room.enter(), await room.enter()];
    await one.call('enablePrivacyMode');
    clock.advance(100 * LIMIT);
    await two.settled();
    assert.deepEqual(
      two.told.filter(({ type }) => type === 'privacy'),
      [{ type: 'privacy', userId: one.id, elapsed: 0, remaining: null }],
    );
    assert.equal(warningsOf(one), 0);
  });

  // Proves: privacy_timeout
  it('can last a year, although a timer of Node with a delay of 25 days fires at once', async () => {
    room.close();
    const setTimeout: ManualClock['setTimeout'] = (run, delay) =>
      clock.setTimeout(run, delay < 2 ** 31 ? delay : 1);
    const likeNode = { now: () => clock.now(), date: () => clock.date(), setTimeout };
    room = await FakeRoom.open({ privacyTimeout: 365 * 86_400 }, likeNode);
    [one, two] = [await room.enter(), await room.enter()];
    await one.call('enablePrivacyMode');
    for (let day = 1; day < 365; day++) clock.advance(86_400_000);
    await Promise.all([one.settled(), two.settled()]);
    assert.deepEqual([warningsOf(one), noticesOf(two)], [0, [one.id]]);
    clock.advance(86_400_000 - MINUTE);
    clock.advance(MINUTE);
    await Promise.all([one.settled(), two.settled()]);
    assert.deepEqual([warningsOf(one), noticesOf(two)], [1, [one.id, null]]);
  });

  it('continues when its user changes connections', async () => {
    await one.call('enablePrivacyMode');
    const again = await room.enter({ resume: { userId: one.id, secret: one.welcome?.secret } });
    await until(() => one.closed);
    await again.settled();
    await two.settled();
    assert.deepEqual([noticesOf(again), noticesOf(two)], [[one.id], [one.id]]);
    one = again;
    assert.deepEqual(await whoMoves(), ['one']);
  });
});

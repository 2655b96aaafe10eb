import assert from 'node:assert/strict';
import { AttackedSession, type AttackKind, type EndedAttack } from '../support/attacked-session.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';

cleanUpAtEnd();
const MAX_GROWTH_BYTES = 50e6;

let attacked: AttackedSession;
test.beforeAll(async ({ pages }) => void (attacked = await AttackedSession.start(pages)));

/** Returns how often each code occurs. */
function countsOf(codes: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/** Runs an attack, and checks that host and viewer do well in it. */
async function attack(kind: AttackKind): Promise<EndedAttack> {
  const ended = await attacked.attack(kind);
  const { codes, refused, answered, growth } = ended;
  const size = `${(growth / 1e6).toFixed(1)} MB more`;
  const outcome = JSON.stringify({ codes: countsOf(codes), refused, answered });
  note(`${kind}: ${outcome}, ${attacked.framesIn(ended)} frames meanwhile, ${size}`);
  assert.ok(growth < MAX_GROWTH_BYTES, `the host grew by ${size}`);
  assert.equal(attacked.viewer.closed, undefined);
  return ended;
}

test('10,000 random frames end the connection', async () => {
  const { codes, refused } = await attack('random');
  assert.deepEqual(codes, [1008]);
  assert.ok(refused > 50, `${refused} frames were refused`);
});

test('a program that sends commands without a pause gets an answer to each, one after the other', async () => {
  const { refused, answered } = await attack('commands');
  assert.equal(refused, 0);
  assert.ok(answered > 100, `${answered} commands were answered`);
});

test('messages that are too large or binary end the connection', async () => {
  const { codes } = await attack('huge');
  assert.deepEqual(codes, [1009, 1003]);
});

test('a program that does not read is disconnected', async () => {
  const { codes } = await attack('slow');
  assert.deepEqual(codes, [1006]);
});

test('a program that captures the page without a pause gets a part of them', async () => {
  const { refused, answered } = await attack('screenshots');
  assert.equal(refused, 0);
  assert.ok(answered > 5, `${answered} screenshots were taken`);
});

test('at most 20 programs drive a session', async () => {
  const { codes } = await attack('many');
  assert.deepEqual(
    [codes.filter((code) => code === 0).length, codes.filter((code) => code === 1008).length],
    [20, 5],
  );
});

test('programs that connect or send requests without a pause are slowed down', async () => {
  for (const { kind, accepted, perSecond, burst } of [
    { kind: 'joins', accepted: 1005, perSecond: 5, burst: 60 },
    { kind: 'requests', accepted: 200, perSecond: 50, burst: 200 },
  ] as const) {
    const { codes, from, to } = await attack(kind);
    // The service closes connections without an answer after many refusals, which have a reason.
    const { [accepted]: passed = 0, 429: refused = 0, 1006: dropped = 0, ...others } = countsOf(codes);
    assert.deepEqual(others, {}, kind);
    assert.ok(dropped === 0 || refused > 50, `${kind}: ${dropped} were dropped`);
    assert.ok(passed > 0, kind);
    const allowed = burst + perSecond * ((to - from) / 1_000 + 1);
    assert.ok(passed <= allowed, `${kind}: ${passed} passed, and ${refused} were refused`);
  }
});

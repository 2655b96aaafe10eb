import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ApiCaller, type Access } from '../../../fakes/api-caller.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
let api: ApiCaller;
/** All tests share one service, because each takes time to start. */
before(async () => {
  service = await createTestService({ maxSessions: 10_000 });
  service.pool.showsAtOnce = true;
  api = new ApiCaller(service);
});
after(() => service.close());

const YEAR = 31_536_000;
const KINDS = ['absolute', 'inactive', 'offline'] as const;
/** Limits that the service sets when a request has none. */
const STANDARD = { absolute: null, inactive: null, offline: 3600, warning: 60 };

/** The sent value, the session's limit, and the text after the field's name in the warning. */
const TAKEN: [asked: unknown, limit: number | null, warning?: RegExp][] = [
  [0, null, /^0 means no limit/],
  ['0', null, /^0 means no limit/],
  [-0, null, /^0 means no limit/],
  [315_360_000, YEAR, /^315360000 becomes 31536000: /],
  ['315360000', YEAR, /^315360000 becomes 31536000: /],
  [Number.MAX_VALUE, YEAR, /^1\.797\S+ becomes 31536000: /],
  [YEAR + 0.5, YEAR, /becomes 31536000: /],
  [YEAR, YEAR],
  [0.4, 1, /^0.4 becomes 1: /],
  [1, 1],
  [90.5, 90.5],
  [' 3600 ', 3600],
  [null, null],
];
const REFUSED: unknown[] = [-1, '-1', -0.5, 'NaN', 'never', 'Infinity', '1 hour', true, [], {}, [60]];

/** Limits of the session as `POST {session}/timeout` answers them when nothing changes. */
async function limitsOf(session: Access): Promise<Record<string, unknown>> {
  return (await api.control(session, 'timeout', { reset: false })).json<Record<string, unknown>>();
}

async function begin(parameters: object): Promise<{ session: Access; warnings: string[]; header: unknown }> {
  const response = await api.create(parameters);
  assert.equal(response.statusCode, 200, response.body);
  const session = response.json<Access & { warnings?: string[] }>();
  const header = response.headers['cloud-browser-warnings'];
  return { session, warnings: session.warnings ?? [], header };
}

function assertWarning(
  warnings: readonly string[] | undefined,
  field: string,
  words: RegExp | undefined,
): void {
  if (words === undefined) {
    assert.deepEqual(warnings ?? [], []);
    return;
  }
  assert.equal(warnings?.length, 1);
  const [sentence = ''] = warnings;
  assert.ok(sentence.startsWith(`${field} `), sentence);
  assert.match(sentence.slice(field.length + 1), words);
}

for (const kind of KINDS)
  for (const [asked, limit, warning] of TAKEN) {
    const value = JSON.stringify(asked);
    it(`timeout.${kind} of ${value} is ${limit ?? 'no limit'}`, async () => {
      const { session, warnings, header } = await begin({ timeout: { [kind]: asked } });
      assertWarning(warnings, `timeout.${kind}`, warning);
      assert.equal(header === undefined, warning === undefined);
      assert.deepEqual(await limitsOf(session), { ...STANDARD, [kind]: limit });
    });

    it(`POST {session}/timeout reads ${kind} of ${value} as ${limit ?? 'no limit'}`, async () => {
      const { session } = await begin({ timeout: { [kind]: 7 } });
      const response = await api.control(session, 'timeout', { [kind]: asked });
      assert.equal(response.statusCode, 200, response.body);
      const { warnings, ...limits } = response.json<{ warnings?: string[] }>();
      assertWarning(warnings, kind, warning);
      assert.equal(response.headers['cloud-browser-warnings'] === undefined, warning === undefined);
      assert.deepEqual(limits, { ...STANDARD, [kind]: limit });
    });
  }

for (const value of REFUSED)
  it(`no time limit is ${JSON.stringify(value)}`, async () => {
    const { session } = await begin({});
    for (const kind of [...KINDS, 'warning']) {
      const created = await api.create({ timeout: { [kind]: value } });
      assert.equal(created.statusCode, 400, created.body);
      assert.match(
        created.json<{ message: string }>().message,
        new RegExp(`^timeout\\.${kind} must be a number`),
      );
      const changed = await api.control(session, 'timeout', { [kind]: value });
      assert.equal(changed.statusCode, 400, changed.body);
      assert.match(changed.json<{ message: string }>().message, new RegExp(`^${kind} must be a number`));
    }
    const old = await api.create({ offline_timeout: value });
    assert.match(old.json<{ message: string }>().message, /^offline_timeout must be a number/);
    assert.deepEqual(await limitsOf(session), STANDARD);
  });

describe('the old field offline_timeout', () => {
  for (const [asked, limit, warning] of TAKEN)
    it(`reads ${JSON.stringify(asked)} as ${limit ?? 'no limit'}`, async () => {
      const { session, warnings } = await begin({ offline_timeout: asked });
      assertWarning(warnings, 'offline_timeout', warning);
      assert.deepEqual(await limitsOf(session), { ...STANDARD, offline: limit });
    });

  it('is ignored without a warning if timeout.offline is present', async () => {
    const { session, warnings } = await begin({ offline_timeout: 0, timeout: { offline: 20 } });
    assert.deepEqual(warnings, []);
    assert.deepEqual(await limitsOf(session), { ...STANDARD, offline: 20 });
  });

  it('is not restored if timeout.offline is 0', async () => {
    const { session, warnings } = await begin({ offline_timeout: 20, timeout: { offline: 0 } });
    assert.equal(warnings.length, 1);
    assert.deepEqual(await limitsOf(session), { ...STANDARD, offline: null });
  });
});

describe('the warning time', () => {
  it('can be 0 for no warning', async () => {
    const { session, warnings } = await begin({ timeout: { warning: 0, absolute: 10 } });
    assert.deepEqual(warnings, []);
    assert.deepEqual(await limitsOf(session), { ...STANDARD, warning: 0, absolute: 10 });
    service.clock.advance(9_999);
    assert.deepEqual(service.pool.last.warnings, []);
  });

  it('is reduced to a year', async () => {
    const { session, warnings } = await begin({ timeout: { warning: 315_360_000 } });
    assertWarning(warnings, 'timeout.warning', /becomes 31536000: /);
    assert.deepEqual(await limitsOf(session), { ...STANDARD, warning: YEAR });
    const changed = await api.control(session, 'timeout', { warning: YEAR + 1 });
    assertWarning(changed.json<{ warnings?: string[] }>().warnings, 'warning', /becomes 31536000: /);
  });
});

it('a session without limits runs until it is stopped', async () => {
  const { warnings } = await begin({ timeout: { absolute: 0, inactive: 0, offline: 0 } });
  assert.equal(warnings.length, 3);
  for (let day = 0; day < 400; day++) service.clock.advance(86_400_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(service.pool.last.stopReason, undefined);
});

it('a limit that is removed by 0 ends nothing, and a reduced one ends the session after a year', async () => {
  const { session } = await begin({ timeout: { absolute: 100, offline: null } });
  await api.control(session, 'timeout', { absolute: 0 });
  service.clock.advance(86_400_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(service.pool.last.stopReason, undefined);
  await api.control(session, 'timeout', { absolute: 315_360_000 });
  for (let day = 0; day < 365; day++) service.clock.advance(86_400_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(service.pool.last.stopReason, 'absolute');
});

import assert from 'node:assert/strict';
import { setTimeout as pass } from 'node:timers/promises';
import { WebhookReceiver } from '../../fakes/webhook-receiver.js';
import { hold } from '../../support/limits.js';
import { askSession } from '../support/ask-session.js';
import { atEnd } from '../support/cleanup.js';
import { RawViewer } from '../support/raw-viewer.js';
import { Service, type Session } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };

interface Event {
  session_id: string;
  type: string;
  timeout?: string;
  delay?: number;
  at: number;
}

let service: Service;
let receiver: WebhookReceiver;
const events: Event[] = [];
test.beforeAll(async () => {
  [service, receiver] = await Promise.all([
    Service.start({ EGRESS_ALLOW: '127.0.0.1' }),
    WebhookReceiver.open(),
  ]);
  atEnd(() => receiver.close());
  receiver.answer = (response, { body }) => {
    events.push({ ...(JSON.parse(body) as Event), at: performance.now() });
    response.end();
  };
});

/** A session with these limits, and the moments before and after its creation. */
async function begin(timeout: object): Promise<{ session: Session; from: number; to: number }> {
  const webhook = { url: receiver.url, bearer: 'b', warnings: true };
  const from = performance.now();
  const session = await service.create({ ...SIZE, timeout: { ...timeout, webhook } });
  return { session, from, to: performance.now() };
}

let turn: Promise<unknown> = Promise.resolve();
/**
 * The same with a viewer. The sessions start one after the other. Otherwise the slow start of one browser
 * would count against the limits of the others.
 */
function beginWatched(timeout: object) {
  const begun = turn.then(async () => {
    const beginning = await begin(timeout);
    return { ...beginning, viewer: await RawViewer.open(beginning.session) };
  });
  turn = begun.catch(() => undefined);
  return begun;
}

/**
 * Asserts that something happened when it was due: never before the earliest deadline, and soon after the
 * latest one.
 */
function onTime(what: string, at: number | undefined, earliest: number, latest = earliest) {
  assert.ok(at !== undefined, what);
  assert.ok(at >= earliest - 2, `${what}: ${earliest - at} ms too early`);
  hold('what a time limit does is late', at - latest, what);
}

async function eventOf({ session_id: id }: Session, type: string): Promise<Event> {
  return until(`the event ${type} arrives`, () =>
    events.find((event) => event.session_id === id && event.type === type),
  );
}

async function endOf(viewer: RawViewer): Promise<{ reason: string | undefined; at: number }> {
  return until('the viewer is sent away', () => viewer.closed);
}

let seq = 0;
/** Sends a user's input, and returns the moments before and after it. */
function act(viewer: RawViewer): number {
  seq += 1;
  viewer.send({ type: 'move', seq, modifiers: 0, x: 1_000 * seq, y: 1_000 });
  return performance.now();
}

/** Scenarios of the tests. They mostly wait, so all wait at the same time. */
const SCENARIOS = {
  absolute: async () => {
    // On a busy machine the first viewer takes seconds to connect, and it must be connected when the warning
    // is sent.
    const { session, viewer, from, to } = await beginWatched({ absolute: 20, warning: 3 });
    act(viewer);
    const { reason, at } = await endOf(viewer);
    assert.equal(reason, 'absolute');
    onTime('the end', at, from + 20_000, to + 20_000);
    const [warning] = viewer.warnings;
    assert.equal(warning?.kind, 'absolute');
    onTime('the warning', warning.at, from + 17_000, to + 17_000);
    onTime('the end that it tells', warning.at + (warning.delay ?? 0), from + 20_000, to + 20_000);

    const warned = await eventOf(session, 'warning');
    assert.deepEqual([warned.timeout, warned.delay], ['absolute', 3]);
    const ended = await eventOf(session, 'absolute');
    onTime('the event', ended.at, from + 20_000, to + 20_000);
    assert.ok(warned.at < ended.at);
    await until('the session has ended', async () => (await service.view(session))['state'] === 'ended');
    assert.equal((await service.view(session))['termination_reason'], 'absolute');
  },

  inactive: async () => {
    const { session, viewer } = await beginWatched({ warning: 6 });
    // From now on, because a viewer may take longer to connect than a session may be inactive here.
    await limit(session, { inactive: 8 });
    act(viewer);
    await until('a warning is shown', () => viewer.warnings.at(-1)?.delay);
    // Two signs of activity follow each other closely: the later one counts.
    act(viewer);
    // On a busy machine the next warning may arrive before the test checks.
    await until('it is hidden', () => viewer.warnings.some(({ delay }) => delay === null));
    const last = act(viewer);
    const { reason, at } = await endOf(viewer);
    assert.equal(reason, 'inactive');
    onTime('the end', at, last + 8_000);
    onTime('the last warning', viewer.warnings.at(-1)?.at, last + 2_000);
    await eventOf(session, 'inactive');
  },

  arriving: async () => {
    await turn;
    const { session } = await begin({ offline: 1 });
    // The first request of a viewer's page.
    assert.equal((await fetch(session.embed_url)).status, 200);
    const { session: deserted } = await begin({ offline: 1 });
    await pass(1_500);
    const viewer = await RawViewer.knock(session, {}, 1_500);
    assert.ok(viewer.welcome, JSON.stringify(viewer.closed));
    await pass(1_500);
    assert.equal(viewer.closed, undefined);
    viewer.close();
    const left = performance.now();
    onTime('the end', (await eventOf(session, 'offline')).at, left + 1_000);
    await eventOf(deserted, 'offline');
  },
};

test.describe('on the real clock', { tag: '@timing' }, () => {
  const begun = new Map<string, Promise<void>>();
  const outcomeOf = (name: keyof typeof SCENARIOS) => () => begun.get(name);

  test.beforeAll(() => {
    for (const [name, scenario] of Object.entries(SCENARIOS)) {
      const outcome = scenario();
      // The test of this scenario may not have started yet.
      outcome.catch(() => undefined);
      begun.set(name, outcome);
    }
  });

  // Proves: timeout.absolute; timeout.warning; timeout.webhook
  test('the absolute limit ends a session on time after a warning, whatever users do', outcomeOf('absolute'));
  // Proves: timeout.inactive; hidden warnings
  test('the inactive limit counts from the last input, and input hides its warning', outcomeOf('inactive'));
  // Proves: timeout.offline
  test(
    'an offline limit of one second waits for a viewer that takes three seconds, and for no other',
    outcomeOf('arriving'),
  );
});

const limit = (session: Session, change: object) => askSession(session, 'POST', 'timeout', change);

import { Cleanup } from '../e2e/support/cleanup.js';
import { PageServer } from '../e2e/support/page-server.js';
import { patient } from '../support/limits.js';
import { until } from '../walk/deadline.js';
import { compare, type Expected, type Fate, type Fault, type Result, type Seen } from './fault.js';
import { Traces } from './left-behind.js';
import { Party, type Scene } from './scene.js';
import { BuiltService, type LogLine } from '../support/built-service.js';

/**
 * Extra time to wait for a session beyond its promise. A late one is reported with its time. Milliseconds.
 */
const PATIENCE_MS = 10_000;
/** Time for acts of users before the fault, in milliseconds. */
const PREPARE_LIMIT_MS = patient(30_000);
/** Time in which a neighbour must answer on a busy machine, in milliseconds. */
const NEIGHBOUR_LIMIT_MS = patient(8_000);
/** Time for a user's last attempt after the limit, in milliseconds. */
const LAST_TRY_MS = patient(3_000);
/** Time for a notice or a line of the log that arrives after the picture, in milliseconds. */
const WORDS_LIMIT_MS = patient(3_000);

/**
 * A service with pages and an untouched neighbour session. Faults are injected into it one after the other.
 */
export class Stage {
  private constructor(
    private readonly cleanup: Cleanup,
    readonly service: BuiltService,
    private readonly pages: PageServer,
    private readonly neighbour: Party,
  ) {}

  static async build(options: Fault['service'] = {}): Promise<Stage> {
    const cleanup = new Cleanup();
    try {
      const pages = await PageServer.start(cleanup.add);
      const service = await BuiltService.start(options);
      cleanup.add(() => service.stop());
      const neighbour = await Party.enter(service, pages);
      cleanup.add(() => neighbour.person.leave());
      return new Stage(cleanup, service, pages, neighbour);
    } catch (error) {
      await cleanup.run();
      throw error;
    }
  }

  /** Runs one row: injects the fault into a new session and observes the session to its end. */
  async run(fault: Fault): Promise<Result> {
    const { service, pages, neighbour } = this;
    const victim = await Party.enter(service, pages, fault.parameters);
    const scene = { service, pages, victim, neighbour };
    await fault.prepare?.(scene, PREPARE_LIMIT_MS);
    const traces = Traces.of(service, victim);
    const logged = service.log.length;
    victim.forgetNotices();
    neighbour.forgetNotices();
    try {
      const struck = performance.now();
      await fault.strike(scene);
      fault.after?.(scene);
      const [session, beside] = await Promise.all([
        fateOf(victim, fault, scene, struck),
        neighbourFate(neighbour, fault),
      ]);
      const facts = await factsOf(fault, scene);
      await fault.mend?.(scene);
      const lines = () => service.log.slice(logged);
      const words = await wordsOf(victim, fault.expected, lines);
      victim.person.leave();
      if (service.running) await service.end(victim.session);
      const left = await traces.left();
      const errors = unexpected(lines(), fault.expected);
      const warned = lines().find(({ level, at }) => level !== 'info' && at > struck)?.at;
      const since = (time: number | undefined) => time && (time - struck) / 1_000;
      const times = { noticedAfter: since(warned), toldAfter: since(victim.noticeTimes[0]) };
      const seen: Seen = { ...session, neighbour: beside, facts, ...words, ...times, errors, left };
      return { fault, seen, differences: compare(fault.expected, seen) };
    } finally {
      victim.person.leave();
    }
  }

  async close(): Promise<void> {
    await this.cleanup.run();
  }
}

/** Runs a row on the shared stage, or on its own stage if it needs one. */
export async function runFault(fault: Fault, shared: () => Promise<Stage>): Promise<Result> {
  if (!fault.service) return (await shared()).run(fault);
  const own = await Stage.build(fault.service);
  try {
    return await own.run(fault);
  } finally {
    await own.close();
  }
}

/** Follows the struck session until it works, ends, or has had its time. */
async function fateOf(
  victim: Party,
  fault: Fault,
  scene: Scene,
  struck: number,
): Promise<Pick<Seen, 'session' | 'after' | 'trouble'>> {
  const limit = patient(fault.expected.within * 1_000) + PATIENCE_MS;
  const after = () => (performance.now() - struck) / 1_000;
  // A session that is about to end may still answer for a moment.
  const ends = fault.expected.session.startsWith('ends');
  const ended = until('the viewer is told of an end', limit, () => victim.end);
  const rest = () => Math.max(limit - (performance.now() - struck), LAST_TRY_MS);
  const working = (async () => {
    // The struck part may answer until its replacement has started, which is reported.
    const { toldBefore = fault.expected.told.length } = fault;
    await until('it is told', limit, () => victim.notices.length >= toldBefore).catch(() => undefined);
    await fault.first?.(scene, rest());
    await victim.types(rest());
  })();
  for (const promise of [ended, working]) promise.catch(() => undefined);
  try {
    const end = ends ? await ended : await Promise.race([working, ended]);
    return { session: end ? `ends: ${end.reason}` : 'goes on', after: after() };
  } catch (error) {
    const trouble = await working.then(() => undefined, wordsFor);
    if (trouble === undefined) return { session: 'goes on', after: undefined };
    return { session: 'hangs', after: undefined, trouble: ends ? wordsFor(error) : trouble };
  }
}

async function neighbourFate(neighbour: Party, { expected, shared }: Fault): Promise<Fate> {
  const ends = expected.neighbour.startsWith('ends');
  const limit = shared ? patient(expected.within * 1_000) : NEIGHBOUR_LIMIT_MS;
  try {
    if (ends) await until("the neighbour's viewer is told", limit, () => neighbour.end);
    else await neighbour.types(limit);
  } catch {
    return neighbour.end ? `ends: ${neighbour.end.reason}` : 'hangs';
  }
  if (neighbour.end) return `ends: ${neighbour.end.reason}`;
  const unexpected = neighbour.notices.filter((kind) => !shared || !expected.told.includes(kind));
  return unexpected.length === 0 ? 'goes on' : 'hangs';
}

async function factsOf({ facts }: Fault, scene: Scene): Promise<readonly string[]> {
  try {
    return (await facts?.(scene)) ?? [];
  } catch (error) {
    return [wordsFor(error)];
  }
}

function wordsFor(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Waits for the expected notices and log line. Returns those that arrived. */
async function wordsOf(
  victim: Party,
  { told, logged }: Expected,
  lines: () => LogLine[],
): Promise<Pick<Seen, 'told' | 'logged'>> {
  const inLog = () => logged !== undefined && lines().some(({ text }) => logged.test(text));
  const complete = () => victim.notices.length >= told.length && (!logged || inLog());
  await until('it is told', WORDS_LIMIT_MS, complete).catch(() => undefined);
  return { told: [...victim.notices], logged: inLog() };
}

function unexpected(lines: readonly LogLine[], { logged }: Expected): string[] {
  return lines
    .filter(({ level, text }) => level === 'error' && !logged?.test(text))
    .map(({ message }) => message);
}

import { setTimeout } from 'node:timers/promises';
import { checkHistory, type LifeOfSession, type Operation } from '../../support/history.js';
import type { Answer } from '../support/fresh-client.js';
import { ask, type Access } from '../support/nodes.js';
import { monotonicNow } from './monotonic.js';

/** Answers to a create which say that no session was started, or that a started one was ended. */
const REFUSALS: ReadonlySet<number> = new Set([400, 429, 503]);
/** Maximal number of tries of a create that must succeed. */
const MAX_TRIES = 5;
/** No session of these tests ends by itself. */
const FOR_EVER = { absolute: null, inactive: null, offline: null };

/** Outcome of a create. */
export interface Created {
  /** Undefined if there was no answer at all. */
  answer: Answer | undefined;
  session: Access | undefined;
  /** The error's code: `err_…`. */
  code: string | undefined;
  milliseconds: number;
  /** When it was answered. */
  at: number;
}

/** Options of a create. */
export interface CreateWanted {
  tag?: string;
  tenant?: string;
  /** Milliseconds. */
  limit?: number;
}

/** Log of all requests to a cluster and their answers. */
export class HistoryLog {
  readonly operations: Operation[] = [];
  readonly creates: Created[] = [];
  /** Sessions for which an end was requested. */
  readonly ended = new Set<string>();

  /** Creates a session or finds the session of the tag. Never rejects. */
  async create(url: string, { tag, tenant, limit = 10_000 }: CreateWanted): Promise<Created> {
    const from = monotonicNow();
    const body = {
      ...{ tag, tenant_id: tenant, timeout: FOR_EVER },
      ...(tag !== undefined && { start_url: `about:tag-${tag}` }),
    };
    const answer = await ask(url, 'POST', '/v0/vm', { body, limit }).catch(() => undefined);
    const until = monotonicNow();
    const session = answer?.status === 200 ? (answer.body as Access) : undefined;
    const refused = answer !== undefined && REFUSALS.has(answer.status);
    const outcome = session ? 'ok' : refused ? 'fail' : 'unknown';
    if (tag !== undefined)
      this.operations.push({ tag, from, until, outcome, ...(session && { id: session.session_id }) });
    const { code } = refused ? (answer.body as { code: string }) : { code: undefined };
    const created = { answer, session, code, milliseconds: until - from, at: until };
    this.creates.push(created);
    return created;
  }

  /**
   * Creates a session that must start. If the service answers with a retry time, as on a busy machine, it
   * retries then, as a customer does.
   */
  async begin(url: string, wanted: CreateWanted): Promise<Access> {
    for (let tries = 1; ; tries++) {
      const { session, answer } = await this.create(url, wanted);
      if (session) return session;
      if (answer?.status !== 503 || answer.retryAfter === null || tries === MAX_TRIES)
        throw new Error(`A create was not granted: ${JSON.stringify(answer)}`);
      await setTimeout(Number(answer.retryAfter) * 1_000);
    }
  }

  /** Ends a session. Resolves to the status, or 0 if there was no answer. */
  async end(url: string, id: string): Promise<number> {
    this.ended.add(id);
    const answer = await ask(url, 'DELETE', `/v0/vm/${id}`, { limit: 10_000 }).catch(() => undefined);
    return answer?.status ?? 0;
  }

  /**
   * Returns the violations, one sentence each. `lives` contains explained lives, whose end has another known
   * reason.
   */
  problems(lives: readonly LifeOfSession[]): string[] {
    return checkHistory(
      this.operations,
      lives.map((life) => ({ ...life, explained: life.explained || this.ended.has(life.id) })),
    );
  }

  /** Number of creates for each outcome. */
  get summary(): string {
    const count = (status: Operation['outcome']) =>
      this.operations.filter(({ outcome }) => outcome === status).length;
    return `${count('ok')} / ${count('fail')} / ${count('unknown')}`;
  }
}

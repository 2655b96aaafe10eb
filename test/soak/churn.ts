import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { SUBPROTOCOL } from '../../src/protocol/index.js';
import { isRecord } from '../../server/src/platform/is-record.js';
import { API_KEY } from '../fakes/test-service.js';
import { within } from '../walk/deadline.js';
import type { Measures, Order, Told } from './fake-service-protocol.js';

const PROGRAM = fileURLToPath(new URL('fake-service.ts', import.meta.url));
const LIMIT_MS = 60_000;
/** Sessions that live at once. */
const AT_ONCE = 10;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The limit of the sessions that run into one, and a little more. */
const ABSOLUTE_S = 60;
const TAGS = 5;

/** Ways through a session's life, taken in turn. */
const LIVES = ['deleted', 'shared by tag', 'timed out', 'crashed', 'with a profile', 'refused'] as const;
type Life = (typeof LIVES)[number];

interface Access {
  session_id: string;
  embed_url: string;
  admin_token: string;
}

/** A service in its own process, whose hosts run no programs. Starts and ends sessions in it. */
export class Churn {
  #count = 0;

  private constructor(
    private readonly directory: string,
    private readonly child: ChildProcess,
    private readonly url: string,
  ) {}

  static async start(): Promise<Churn> {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-soak-'));
    const child = fork(PROGRAM, [directory], { execArgv: ['--import', 'tsx', '--expose-gc'] });
    const told = await next(child);
    if (told.type !== 'listening') throw new Error('The service does not say where it listens.');
    return new Churn(directory, child, `http://127.0.0.1:${told.port}`);
  }

  /**
   * Has so many sessions begin and end, some at a time; then a day passes, so that their records are given
   * up.
   */
  async run(sessions: number): Promise<void> {
    for (let done = 0; done < sessions; done += AT_ONCE) {
      const lives = Array.from({ length: Math.min(AT_ONCE, sessions - done) }, () => this.#nextLife());
      await Promise.all(lives.map(([life, nth]) => this.#live(life, nth)));
    }
    await this.#order({ type: 'advance', milliseconds: DAY_MS + HOUR_MS });
  }

  /** Figures of a moment at which nothing is under way. */
  async measure(): Promise<Measures> {
    const told = await this.#order({ type: 'measure' });
    if (told.type !== 'measured') throw new Error('The service tells no figures.');
    return told;
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.send({ type: 'close' } satisfies Order);
    const insist = setTimeout(() => this.child.kill('SIGKILL'), LIMIT_MS);
    await exited;
    clearTimeout(insist);
    await rm(this.directory, { recursive: true, force: true });
  }

  #nextLife(): [life: Life, nth: number] {
    const nth = this.#count++;
    return [LIVES[nth % LIVES.length] ?? 'deleted', nth];
  }

  async #live(life: Life, nth: number): Promise<void> {
    switch (life) {
      case 'deleted':
        return this.#end(await this.#create({ dark: nth % 2 === 0 }));
      case 'shared by tag': {
        const tag = `tag-${nth % TAGS}`;
        const [one] = await Promise.all([this.#create({ tag }), this.#create({ tag })]);
        return this.#end(one);
      }
      case 'timed out': {
        const webhook = { url: 'https://example.com/events', bearer: 'b', warnings: true };
        // In turn with the orders: a clock that moves on during the start would end the session there.
        const session = await this.#inTurn(() =>
          this.#create({ timeout: { absolute: ABSOLUTE_S, warning: 10, webhook } }),
        );
        await this.#watch(session);
        for (let half = 0; half < 2; half++)
          await this.#order({ type: 'advance', milliseconds: ABSOLUTE_S * 500 });
        return this.#end(session);
      }
      case 'crashed': {
        const session = await this.#create({});
        await this.#watch(session);
        await this.#order({ type: 'crash', sessionId: session.session_id });
        return this.#end(session);
      }
      case 'with a profile':
        return this.#end(await this.#create({ profile: true }));
      case 'refused': {
        const { status } = await this.#request('POST', '/v0/vm', { width: -1 });
        assert.equal(status, 400);
        return this.#end(await this.#create({ tenant_id: `tenant-${nth % TAGS}` }));
      }
    }
  }

  async #create(parameters: object): Promise<Access> {
    const { status, body } = await this.#request('POST', '/v0/vm', parameters);
    assert.equal(status, 200, JSON.stringify(body));
    return body as unknown as Access;
  }

  /** Uses and ends a session, by the API or after the fact, when it has ended itself. */
  async #end(session: Access): Promise<void> {
    await this.#watch(session);
    await this.#request('POST', `${pathOf(session)}/ping`, {}, session.admin_token);
    await this.#request('GET', '/v0/vm');
    const end = () => this.#request('DELETE', `/v0/vm/${session.session_id}`);
    let { status } = await end();
    // 202: the service did not wait longer for the end. Another life may have moved the clock on beyond this
    // wait.
    for (let again = 0; status === 202 && again < AT_ONCE; again++) ({ status } = await end());
    assert.equal(status, 200);
  }

  /** Connects as a viewer. The host disconnects the viewer at once. */
  async #watch(session: Access): Promise<void> {
    const { search } = new URL(session.embed_url);
    const socket = new WebSocket(`${this.url}${pathOf(session)}${search}`.replace('http', 'ws'), SUBPROTOCOL);
    // The host says nothing, which is an error of the handshake.
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await within('the viewer is done', LIMIT_MS, closed);
  }

  async #request(method: string, path: string, body?: object, credential = API_KEY) {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(LIMIT_MS),
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    return { status: response.status, body: isRecord(answer) ? answer : {} };
  }

  #order(order: Order): Promise<Told> {
    // One after the other: answers have no numbers.
    return this.#inTurn(() => {
      const told = next(this.child);
      this.child.send(order);
      return told;
    });
  }

  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(run);
    this.#last = answer.then(
      () => undefined,
      () => undefined,
    );
    return answer;
  }

  #last: Promise<void> = Promise.resolve();
}

function pathOf({ embed_url }: Access): string {
  return new URL(embed_url).pathname;
}

async function next(child: ChildProcess): Promise<Told> {
  const [told] = (await within('the service tells', LIMIT_MS, once(child, 'message'))) as [Told];
  return told;
}

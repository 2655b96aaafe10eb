import { lookup, Resolver } from 'node:dns/promises';
import { CodedError } from '../platform/coded-error.js';
import { NAME_THREADS } from '../egress-protocol.js';
import { NameThreads, type Lookups } from './name-threads.js';

/** An address of a host. `family` is 4 or 6. */
export interface Address {
  address: string;
  family: number;
}

/** Returns all addresses of a name. Rejects if there are none. */
export type Resolve = (name: string) => Promise<Address[]>;

/** A name has no address, or no answer came in time. The message is a sentence for the viewer. */
export class ResolveError extends CodedError {
  readonly code = 'err_egress_name';

  constructor(problem: string) {
    super(`${problem} Check the address.`);
  }
}

/** Timeout in milliseconds for the lookup of one name. Includes the wait for a free thread. */
export const RESOLVE_TIMEOUT_MS = 8_000;
/**
 * Time in milliseconds for which an answer is reused after it has arrived. The requests of one page mostly
 * use the same few names.
 */
const REUSE_MS = 5_000;
/**
 * Maximum number of unfinished lookups of one session. A browser needs fewer, because it opens fewer
 * connections than this.
 */
const MAX_ASKED = 512;
/** Maximum number of remembered answers. */
const MAX_REMEMBERED = 500;

/** Options of a {@link NameResolver}. */
export interface NameResolverOptions {
  resolve?: Resolve;
  /** Threads that the resolvers of all sessions share. */
  threads?: NameThreads;
  /** Milliseconds. Default: {@link RESOLVE_TIMEOUT_MS}. */
  timeLimit?: number;
  /** Milliseconds. */
  now?: () => number;
}

/** Resolves the names of one session, with a deadline. Requests for the same name share one lookup. */
export class NameResolver {
  readonly #resolve: Resolve;
  readonly #threads: NameThreads;
  readonly #lookups: Lookups = { open: 0, waiting: [] };
  readonly #timeLimit: number;
  readonly #now: () => number;
  readonly #answers = new Map<string, { answer: Promise<Address[]>; until: number }>();
  #asked = 0;

  constructor({
    resolve = systemResolve,
    threads = new NameThreads(NAME_THREADS),
    timeLimit = RESOLVE_TIMEOUT_MS,
    now = () => performance.now(),
  }: NameResolverOptions = {}) {
    this.#resolve = resolve;
    this.#threads = threads;
    this.#timeLimit = timeLimit;
    this.#now = now;
  }

  /** Returns all addresses of a name. Rejects with {@link ResolveError}. */
  async resolve(name: string): Promise<Address[]> {
    const known = this.#answers.get(name);
    if (known && this.#now() < known.until) return known.answer;
    // All requests for the name share this lookup until it has an answer or its time limit has passed. So one
    // name does not use several threads, even if the lookup takes longer than `REUSE_MS`.
    const entry = { answer: this.#ask(name), until: Infinity };
    this.#answers.delete(name);
    this.#answers.set(name, entry);
    entry.answer.then(
      () => (entry.until = this.#now() + REUSE_MS),
      // A failure is not remembered, because the next lookup may succeed.
      () => {
        if (this.#answers.get(name) === entry) this.#answers.delete(name);
      },
    );
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MAX_REMEMBERED && oldest !== undefined) this.#answers.delete(oldest);
    return entry.answer;
  }

  async #ask(name: string): Promise<Address[]> {
    if (this.#asked >= MAX_ASKED) throw new ResolveError('Too many names are being looked up.');
    this.#asked += 1;
    let timer: NodeJS.Timeout | undefined;
    const given = { up: false };
    const late = new Promise<never>((_resolve, reject) => {
      const error = new ResolveError(`No name server answered for ${name} in time.`);
      timer = setTimeout(() => {
        given.up = true;
        reject(error);
      }, this.#timeLimit);
    });
    try {
      const addresses = await Promise.race([this.#inTurn(name, given), late]);
      if (addresses.length === 0) throw new Error('no address');
      return addresses;
    } catch (error) {
      throw error instanceof ResolveError ? error : new ResolveError(`The name ${name} has no address.`);
    } finally {
      clearTimeout(timer);
      this.#asked -= 1;
    }
  }

  /**
   * Starts the lookup when a thread is free. The thread is busy until the answer arrives, even if no caller
   * waits any more.
   */
  async #inTurn(name: string, given: { up: boolean }): Promise<Address[]> {
    await this.#threads.take(this.#lookups);
    try {
      return given.up ? [] : await this.#resolve(name);
    } finally {
      this.#threads.giveBack(this.#lookups);
    }
  }
}

/** Resolves a name with the resolver of the system, as other programs of this machine do. */
const systemResolve: Resolve = (name) => lookup(name, { all: true, verbatim: true });

/** Returns a resolver that uses only these name servers, each `address` or `address:port`. */
export function resolveBy(servers: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers(servers);
  const ask = (answer: Promise<string[]>, family: number) =>
    answer.then(
      (found) => found.map((address) => ({ address, family })),
      () => [],
    );
  return async (name) => {
    const [six, four] = await Promise.all([ask(resolver.resolve6(name), 6), ask(resolver.resolve4(name), 4)]);
    return [...six, ...four];
  };
}

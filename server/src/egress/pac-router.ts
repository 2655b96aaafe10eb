import { isIPv4 } from 'node:net';
import { createPacResolver } from 'pac-resolver';
import { QuickJS } from 'quickjs-wasi';
import type { EgressGuard } from './guard.js';
import type { NameResolver } from './name-resolver.js';
import { loadPacScript } from './pac-script.js';
import { parseRoutes, RouteError, type Route } from './route.js';
import { matchesShell } from './shell-pattern.js';

/** How long a script may run without a pause: meanwhile no other session is served. */
const RUN_MS = 100;
/** The same for reading it, which prepares it as well. */
const READ_MS = 1_000;
/** How long one answer may take, with the names that the script looks up. */
const ANSWER_TIMEOUT_MS = 10_000;
/** Names that a script may look up for one answer. */
const MAX_LOOKUPS = 32;
/** Bytes that a script may fill. */
const MEMORY_BYTES = 32 * 1024 * 1024;
/** How long a script that cannot be loaded is not tried again. */
const RETRY_MS = 5_000;

/** What a {@link PacRouter} is made of. */
export interface PacRouterParts {
  /** The address of a proxy auto-configuration script (http, https or data), or the script itself. */
  pac: string;
  guard: EgressGuard;
  resolver: NameResolver;
  /** QuickJS, as its package has it. */
  engine: Uint8Array<ArrayBuffer>;
}

type FindProxy = ReturnType<typeof createPacResolver>;

/**
 * Asks a customer's proxy auto-configuration script. It runs in an engine of its own, which reaches nothing but the functions it is
 * given, and is stopped when it takes too much time or memory.
 */
export class PacRouter {
  readonly #parts: PacRouterParts;
  #script: Promise<FindProxy> | undefined;
  /** Until then the script may run. */
  #until = Infinity;
  #lookups = 0;
  #vm: QuickJS | undefined;

  constructor(parts: PacRouterParts) {
    this.#parts = parts;
  }

  /** The ways to an address. Rejects with {@link RouteError}, or with what refused the script's own address. */
  async routes(url: string): Promise<Route[]> {
    this.#script ??= this.#load();
    const find = await this.#script;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.close();
        reject(new RouteError('The proxy script of this session does not answer.'));
      }, ANSWER_TIMEOUT_MS);
    });
    try {
      this.#lookups = 0;
      this.#begin();
      const answer: unknown = await Promise.race([find(url), late]);
      return parseRoutes(typeof answer === 'string' ? answer : '');
    } catch (error) {
      if (error instanceof RouteError) throw error;
      const message = error instanceof Error ? error.message : String(error);
      throw new RouteError(`The proxy script of this session failed (${message.slice(0, 200)}).`);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the script. */
  close(): void {
    this.#script = undefined;
    this.#until = 0;
    this.#vm?.dispose();
    this.#vm = undefined;
  }

  async #load(): Promise<FindProxy> {
    const { pac, guard, engine } = this.#parts;
    try {
      const source = await loadPacScript(guard, pac);
      const vm = await QuickJS.create({
        wasm: engine,
        memoryLimit: MEMORY_BYTES,
        interruptHandler: () => performance.now() > this.#until,
      });
      this.#vm = vm;
      this.#begin(READ_MS);
      return createPacResolver(vm, source, { sandbox: this.#functions() });
    } catch (error) {
      setTimeout(() => (this.#script = undefined), RETRY_MS).unref();
      if (error instanceof Error && 'code' in error) throw error;
      throw new RouteError(
        `The proxy script of this session cannot be read (${String(error).slice(0, 200)}).`,
      );
    }
  }

  #begin(limit: number = RUN_MS): void {
    this.#until = performance.now() + limit;
  }

  /** In place of functions that would look names up by themselves, connect to somewhere, or take any time a pattern likes. */
  #functions() {
    const lookUp = async (host: string): Promise<string | null> => {
      if (isIPv4(host)) return host;
      this.#lookups += 1;
      if (this.#lookups > MAX_LOOKUPS) return null;
      const found = await this.#parts.resolver.resolve(host).catch(() => []);
      this.#begin();
      return found.find(({ family }) => family === 4)?.address ?? null;
    };
    return {
      alert: () => undefined,
      dnsResolve: lookUp,
      isResolvable: async (host: string) => (await lookUp(host)) !== null,
      isInNet: async (host: string, pattern: string, mask: string) => {
        const address = numberOf((await lookUp(host)) ?? '');
        const [network, bits] = [numberOf(pattern), numberOf(mask)];
        if (address === undefined || network === undefined || bits === undefined) return false;
        return (address & bits) === (network & bits);
      },
      myIpAddress: () => '127.0.0.1',
      shExpMatch: (text: unknown, pattern: unknown) => matchesShell(String(text), String(pattern)),
    };
  }
}

/** An IPv4 address as a number of 32 bits. */
function numberOf(address: string): number | undefined {
  if (!isIPv4(address)) return undefined;
  return address.split('.').reduce((sum, part) => (sum << 8) | Number(part), 0);
}

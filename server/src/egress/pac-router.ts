import type { EgressGuard } from './guard.js';
import { loadPacScript } from './pac-script.js';
import { PacThread } from './pac-thread.js';
import { parseRoutes, RouteError, type Route } from './route.js';

/** How long one answer may take, with the names that the script looks up. */
const ANSWER_TIMEOUT_MS = 10_000;
/** How long a script that cannot be loaded is not tried again. */
const RETRY_MS = 5_000;

/** Exceptions for a single port count for scripts when it is this one. */
const HTTPS_PORT = 443;

/** What a {@link PacRouter} is made of. */
export interface PacRouterParts {
  /** The address of a proxy auto-configuration script (http, https or data), or the script itself. */
  pac: string;
  guard: EgressGuard;
  /** QuickJS, as its package has it. */
  engine: Uint8Array<ArrayBuffer>;
  /** The bundled text of `pac-program.ts`. */
  program: string;
  /** Milliseconds; 10 s by default. */
  answerLimit?: number;
}

/**
 * Asks a customer's proxy auto-configuration script. It runs in an engine and a thread of its own, which reach nothing but the functions
 * they are given, and are ended when they take too much time or memory.
 */
export class PacRouter {
  readonly #parts: PacRouterParts;
  #script: Promise<PacThread> | undefined;
  #closed = false;

  constructor(parts: PacRouterParts) {
    this.#parts = parts;
  }

  /** The ways to an address. Rejects with {@link RouteError}, or with what refused the script's own address. */
  async routes(url: string): Promise<Route[]> {
    this.#script ??= this.#load();
    const script = await this.#script;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new RouteError('The proxy script of this session does not answer.'));
        script.close();
      }, this.#parts.answerLimit ?? ANSWER_TIMEOUT_MS);
    });
    try {
      return parseRoutes(await Promise.race([script.find(url), late]));
    } catch (error) {
      if (script.ended) this.#retryLater();
      if (error instanceof RouteError) throw error;
      const message = error instanceof Error ? error.message : String(error);
      throw new RouteError(`The proxy script of this session failed (${message.slice(0, 200)}).`);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the script. */
  close(): void {
    this.#closed = true;
    this.#script?.then((script) => script.close()).catch(() => undefined);
    this.#script = undefined;
  }

  #retryLater(): void {
    const script = this.#script;
    const forget = () => {
      if (this.#script === script) this.#script = undefined;
    };
    setTimeout(forget, RETRY_MS).unref();
  }

  async #load(): Promise<PacThread> {
    const { pac, guard, engine, program } = this.#parts;
    try {
      const source = await loadPacScript(guard, pac);
      if (this.#closed) throw new RouteError('The session has ended.');
      return new PacThread(program, { engine, source }, async (host) => {
        // What is closed to pages is no address to a script either: it could tell it by the name of a proxy.
        const found = await guard.addresses(host, HTTPS_PORT).catch(() => []);
        return found.find(({ family }) => family === 4)?.address ?? null;
      });
    } catch (error) {
      this.#retryLater();
      if (error instanceof Error && 'code' in error) throw error;
      throw new RouteError(
        `The proxy script of this session cannot be read (${String(error).slice(0, 200)}).`,
      );
    }
  }
}

import { CodedError } from '../../platform/coded-error.js';
import type { EgressGuard } from '../guard.js';
import { loadPacScript } from './pac-script.js';
import { PacThread } from './pac-thread.js';
import { parseRoutes, RouteError, type Route } from '../route.js';

/** Timeout for one answer, including the names that the script looks up. */
const ANSWER_TIMEOUT_MS = 10_000;
/** Milliseconds after which a script that failed to load or has ended may be loaded again. */
const RETRY_MS = 5_000;

/**
 * Port for the check of a name that a script looks up. A script names no port, so the check is the same as
 * for a page that opens the name with HTTPS.
 */
const HTTPS_PORT = 443;

/** Dependencies and options of a {@link PacRouter}. */
export interface PacRouterParts {
  /** Address of a proxy auto-configuration script (http, https or data), or the script itself. */
  pac: string;
  guard: EgressGuard;
  /** WebAssembly module of QuickJS. */
  engine: Uint8Array<ArrayBuffer>;
  /** Bundled text of `pac-program.ts`. */
  program: string;
  /** Milliseconds. Default: 10 s. */
  answerLimit?: number;
}

/**
 * Runs a customer's proxy auto-configuration script. Each script runs in its own engine and thread. It can
 * call only the functions that `pac-program.ts` provides. A script that uses too much time or memory is
 * ended.
 */
export class PacRouter {
  readonly #parts: PacRouterParts;
  #script: Promise<PacThread> | undefined;
  #closed = false;

  constructor(parts: PacRouterParts) {
    this.#parts = parts;
  }

  /**
   * Returns the routes to an address. Rejects with {@link RouteError}, or with the error that prevented the
   * download of the script.
   */
  async routes(url: string): Promise<Route[]> {
    this.#script ??= this.#load();
    const script = await this.#script;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        reject(new RouteError('The proxy script of this session does not answer.'));
        // Does not end a script that waits for a name server, because requests for other names still succeed.
        // Each lookup has a deadline. So a script that computes forever soon has no open lookup, and a later
        // request ends the script.
        if (!script.isLookingUp) script.close();
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
        // Addresses that pages may not open are also hidden from the script. Otherwise the script could
        // reveal them, for example in the name of a proxy.
        const found = await guard.addresses(host, HTTPS_PORT).catch(() => []);
        return found.find(({ family }) => family === 4)?.address ?? null;
      });
    } catch (error) {
      this.#retryLater();
      // Checks the class and not the `code`, because system errors have a `code` too, for example the error
      // of an interrupted download.
      if (error instanceof CodedError) throw error;
      throw new RouteError(
        `The proxy script of this session cannot be read (${String(error).slice(0, 200)}).`,
      );
    }
  }
}

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { until } from '../statistics.js';

/** Milliseconds until an answer of the viewer's Chromium counts as lost. */
const LIMIT_MS = 10_000;

/** Flags of a Chromium that {@link ViewerPage.connect} can reach. Chromium chooses a free port. */
export const DEBUGGING_FLAGS = ['--remote-debugging-port=0'] as const;

/** An answer in the Chrome DevTools Protocol (CDP). */
interface CdpAnswer {
  id?: number;
  result?: object;
  error?: { message: string };
}

/** A call that waits for its answer. */
interface Call {
  resolve: (result: object) => void;
  reject: (error: Error) => void;
}

/** The page of the viewer's Chromium, reached over CDP. */
export class ViewerPage {
  readonly #calls = new Map<number, Call>();
  #lastId = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data) => this.#receive(JSON.parse((data as Buffer).toString('utf8')) as CdpAnswer));
    socket.on('error', () => undefined);
    socket.on('close', () => this.#fail('The viewer has closed its debugging connection.'));
  }

  /** Connects to the only page of a Chromium with {@link DEBUGGING_FLAGS}, by its profile directory. */
  static async connect(profile: string): Promise<ViewerPage> {
    let address: string | undefined;
    await until(async () => {
      address = await addressOfPage(profile);
      return address !== undefined;
    }, 'The viewer opens no page for debugging.');
    const socket = new WebSocket(address ?? '', { handshakeTimeout: LIMIT_MS });
    await once(socket, 'open');
    return new ViewerPage(socket);
  }

  /** Opens an address. `script` runs before the code of the page. */
  async open(address: string, script: string): Promise<void> {
    await this.#call('Page.enable');
    await this.#call('Page.addScriptToEvaluateOnNewDocument', { source: script });
    const result = await this.#call('Page.navigate', { url: address });
    if ('errorText' in result)
      throw new Error(`The viewer cannot open its page: ${String(result.errorText)}.`);
  }

  /** Evaluates an expression in the page and returns a copy of its value. */
  async evaluate(expression: string): Promise<unknown> {
    const answer = await this.#call('Runtime.evaluate', { expression, returnByValue: true });
    const { result, exceptionDetails } = answer as {
      result?: { value?: unknown };
      exceptionDetails?: object;
    };
    if (exceptionDetails) throw new Error(`The viewer's page cannot evaluate ${expression}.`);
    return result?.value;
  }

  /** Closes the connection. The page stays open. */
  close(): void {
    this.socket.terminate();
  }

  #call(method: string, params: object = {}): Promise<object> {
    const id = ++this.#lastId;
    return new Promise<object>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`The viewer does not answer ${method}.`)), LIMIT_MS);
      this.#calls.set(id, {
        resolve: (result) => {
          clearTimeout(timer);
          resolve(result);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      this.socket.send(JSON.stringify({ id, method, params }));
    }).finally(() => this.#calls.delete(id));
  }

  #receive({ id, result, error }: CdpAnswer): void {
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (error) call?.reject(new Error(error.message));
    else call?.resolve(result ?? {});
  }

  #fail(sentence: string): void {
    for (const { reject } of this.#calls.values()) reject(new Error(sentence));
  }
}

/** Returns the address of a Chromium's page. Undefined until Chromium has opened its port and the page. */
async function addressOfPage(profile: string): Promise<string | undefined> {
  const text = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '');
  const [, port] = /^(\d+)\n/.exec(text) ?? [];
  if (port === undefined) return undefined;
  const signal = AbortSignal.timeout(LIMIT_MS);
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`, { signal });
  const targets = (await answer.json()) as { type: string; webSocketDebuggerUrl: string }[];
  return targets.find(({ type }) => type === 'page')?.webSocketDebuggerUrl;
}

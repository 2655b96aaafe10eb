import { once } from 'node:events';
import { WebSocket } from 'ws';
import { atEnd } from './cleanup.js';
import { until } from './until.js';

/** Longest wait for an answer. Milliseconds. */
const ANSWER_MS = 60_000;

/** An answer to a command of the DevTools protocol. */
export interface CdpAnswer {
  id: number;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

interface CdpEvent {
  method?: string;
  sessionId?: string;
  params?: { sessionId?: string; targetInfo?: { targetId: string; type: string; url: string } };
}

/** Session in which a command is sent: that of the first page, none, or one with this id. */
type Where = 'page' | 'browser' | { id: string };

/** A program that speaks the DevTools protocol without a library. It keeps every message that it receives. */
export class RawProgram {
  /** All messages, in order. */
  readonly texts: string[] = [];
  readonly events: CdpEvent[] = [];
  /** Close code and reason of the connection, and its time by `performance.now()`. */
  closed: { code: number; reason: string; at: number } | undefined;
  /** Session and address of the first page. */
  page = '';
  url = '';
  /** Called with the answers to commands, by their ids. */
  readonly #waiting = new Map<number, (answer: CdpAnswer) => void>();
  #last = 0;

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => this.#take(data.toString()));
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString(), at: performance.now() };
    });
    socket.on('error', () => undefined);
    socket.setMaxListeners(0);
    atEnd(() => socket.terminate());
  }

  static async open(url = ''): Promise<RawProgram> {
    const program = new RawProgram(
      new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: ANSWER_MS }),
    );
    await once(program.socket, 'open');
    return program;
  }

  /** Opens a connection and attaches to the pages, their frames and their popups. */
  static async attached(url = ''): Promise<RawProgram> {
    const program = await RawProgram.open(url);
    const params = { autoAttach: true, waitForDebuggerOnStart: false, flatten: true };
    await program.send('Target.setAutoAttach', params, 'browser');
    program.page = await until('the program has a page', () =>
      program.sessionOf(({ type, url: address }) => {
        if (type === 'page') program.url = address;
        return type === 'page';
      }),
    );
    await program.send('Target.setAutoAttach', params);
    return program;
  }

  /** Returns the session of the first target of this kind. */
  sessionOf(is: (target: { type: string; url: string }) => boolean): string | undefined {
    const attached = this.events.find(
      ({ method, params }) =>
        method === 'Target.attachedToTarget' && params?.targetInfo && is(params.targetInfo),
    );
    return attached?.params?.sessionId;
  }

  /** Sends a command. Resolves to its answer, an error too. */
  async send(method: string, params: object = {}, where: Where = 'page'): Promise<CdpAnswer> {
    const id = ++this.#last;
    const sessionId = where === 'browser' ? undefined : where === 'page' ? this.page : where.id;
    this.socket.send(JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) }));
    return new Promise((resolve, reject) => {
      const late = () => reject(new Error(`${method} was not answered within ${ANSWER_MS / 1_000} s.`));
      const timer = setTimeout(late, ANSWER_MS);
      const settle = (end: () => void) => () => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        end();
      };
      const closed = settle(() => reject(new Error(`${method}: the connection has ended.`)));
      this.socket.once('close', closed);
      this.#waiting.set(id, (answer) => {
        this.socket.off('close', closed);
        settle(() => resolve(answer))();
      });
    });
  }

  #take(text: string): void {
    this.texts.push(text);
    const message = JSON.parse(text) as CdpEvent & Partial<CdpAnswer>;
    if (message.id === undefined) this.events.push(message);
    else this.#waiting.get(message.id)?.({ ...message, id: message.id });
  }
}

import type { Duplex } from 'node:stream';
import { EventEmitter } from 'eventemitter3';

/** An answer of the browser that says no. */
export class CdpError extends Error {
  readonly code = 'err_browser_command';

  constructor(method: string, message: string) {
    super(`${method}: ${message}`);
    this.name = 'CdpError';
  }
}

/** An event of a target, or of the browser itself when `sessionId` is absent. */
export interface CdpEvent {
  method: string;
  params: Record<string, unknown>;
  sessionId?: string;
}

interface Waiting {
  method: string;
  resolve(result: Record<string, unknown>): void;
  reject(error: Error): void;
}

/** The largest message we keep while waiting for its end; a page cannot make the host hold more. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * The Chrome DevTools Protocol over the pipe of `--remote-debugging-pipe`: JSON messages ended by a NUL byte. Nobody but
 * this process can reach it, and closing it ends the browser.
 */
export class CdpConnection {
  readonly events = new EventEmitter<{ event: [CdpEvent]; closed: [] }>();
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #closed = false;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    private readonly toBrowser: Duplex,
    private readonly fromBrowser: Duplex,
  ) {
    fromBrowser.on('data', (chunk: Buffer) => this.#onData(chunk));
    fromBrowser.once('close', () => this.close());
    for (const stream of [toBrowser, fromBrowser]) stream.on('error', () => this.close());
  }

  /** Sends one command; rejects with {@link CdpError} when the browser refuses it or goes away. */
  send(method: string, params: object = {}, sessionId?: string): Promise<Record<string, unknown>> {
    if (this.#closed) return Promise.reject(new CdpError(method, 'the browser is gone'));
    const id = this.#nextId++;
    this.toBrowser.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { method, resolve, reject }));
  }

  /** Sends a command whose failure does not matter: the target may be gone by the time it arrives. */
  post(method: string, params: object = {}, sessionId?: string): void {
    this.send(method, params, sessionId).catch(() => undefined);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const waiting of this.#waiting.values())
      waiting.reject(new CdpError(waiting.method, 'the browser is gone'));
    this.#waiting.clear();
    this.toBrowser.destroy();
    this.fromBrowser.destroy();
    this.events.emit('closed');
  }

  #onData(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      this.#chunks.push(chunk.subarray(start, end));
      const text = Buffer.concat(this.#chunks).toString('utf8');
      this.#chunks = [];
      this.#bytes = 0;
      start = end + 1;
      this.#onMessage(text);
    }
    if (start === chunk.length) return;
    this.#chunks.push(chunk.subarray(start));
    this.#bytes += chunk.length - start;
    if (this.#bytes > MAX_MESSAGE_BYTES) this.close();
  }

  #onMessage(text: string): void {
    const message = JSON.parse(text) as {
      id?: number;
      method?: string;
      params?: Record<string, unknown>;
      sessionId?: string;
      result?: Record<string, unknown>;
      error?: { message: string };
    };
    if (message.id !== undefined) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) waiting?.reject(new CdpError(waiting.method, message.error.message));
      else waiting?.resolve(message.result ?? {});
    } else if (message.method) {
      const event: CdpEvent = { method: message.method, params: message.params ?? {} };
      if (message.sessionId) event.sessionId = message.sessionId;
      this.events.emit('event', event);
    }
  }
}

import type { Duplex } from 'node:stream';
import { readMessage, type CdpMessage } from './cdp-message.js';
import { CdpSession, type CdpTransport } from './cdp-session.js';
import { DropCounter } from './drop-counter.js';

/** The largest message we keep while waiting for its end; a page cannot make the host hold more. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * The Chrome DevTools Protocol over the pipe of `--remote-debugging-pipe`: JSON messages ended by a NUL byte. Only
 * this process can reach it, and closing it ends the browser.
 */
export class CdpConnection implements CdpTransport {
  #nextId = 1;
  #closed = false;
  #chunks: Buffer[] = [];
  #bytes = 0;
  readonly #sessions = new Map<string, CdpSession>();
  /** The browser itself. */
  readonly browser = this.session('');

  constructor(
    private readonly toBrowser: Duplex,
    private readonly fromBrowser: Duplex,
    readonly drops = new DropCounter(),
  ) {
    fromBrowser.on('data', (chunk: Buffer) => this.#onData(chunk));
    fromBrowser.once('close', () => this.close());
    for (const stream of [toBrowser, fromBrowser]) stream.on('error', () => this.close());
  }

  /** The session with a target, by the id that the browser gave it. */
  session(id: string): CdpSession {
    const known = this.#sessions.get(id);
    if (known) return known;
    const session = new CdpSession(this, id);
    this.#sessions.set(id, session);
    this.#follow(session);
    if (this.#closed) session.end('closed');
    return session;
  }

  /** Nothing can be sent any more. */
  get closed(): boolean {
    return this.#closed;
  }

  /** @internal Sends a command for a session, which waits for its answer. */
  write(method: string, params: object, sessionId: string): number {
    const id = this.#nextId++;
    this.toBrowser.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}\0`);
    return id;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const session of this.#sessions.values()) session.end('closed');
    this.toBrowser.destroy();
    this.fromBrowser.destroy();
  }

  /** Sessions begin and end with events of the session that they were attached from. */
  #follow(session: CdpSession): void {
    session.on('Target.attachedToTarget', ({ sessionId }) => {
      const child = this.session(sessionId);
      if (session !== this.browser) void session.ended.then(() => this.#detach(child));
    });
    session.on('Target.detachedFromTarget', ({ sessionId }) => this.#detach(this.session(sessionId)));
  }

  #detach(session: CdpSession): void {
    this.#sessions.delete(session.id);
    session.end('detached');
  }

  #onData(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      this.#chunks.push(chunk.subarray(start, end));
      const text = Buffer.concat(this.#chunks).toString('utf8');
      this.#chunks = [];
      this.#bytes = 0;
      start = end + 1;
      const message = readMessage(text);
      if (message) this.#onMessage(message);
      else this.drops.add('message of the browser', 'it is not of the DevTools protocol');
    }
    if (start === chunk.length) return;
    this.#chunks.push(chunk.subarray(start));
    this.#bytes += chunk.length - start;
    if (this.#bytes > MAX_MESSAGE_BYTES) this.close();
  }

  #onMessage(message: CdpMessage): void {
    if (message.id === undefined) {
      this.#sessions.get(message.sessionId ?? '')?.take(message);
      return;
    }
    // An answer need not name its session; numbers are never used twice.
    for (const session of this.#sessions.values()) if (session.take(message)) return;
  }
}

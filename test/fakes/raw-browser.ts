import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';

/** An answer as a browser frames it. */
interface RawAnswer {
  head: string;
  body: Buffer;
}

/** A browser with one connection to its proxy. It takes the bytes that arrive as its answers, in order. */
export class RawBrowser {
  readonly #socket: Socket;
  #closed = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.once('close', () => (this.#closed = true));
  }

  /** Asks, and reads nothing. */
  ask(url: string, method = 'GET'): void {
    this.#socket.write(`${method} ${url} HTTP/1.1\r\nhost: x\r\n\r\n`);
  }

  /** Asks and reads the answer. */
  async get(url: string, method = 'GET'): Promise<RawAnswer> {
    this.ask(url, method);
    return this.answer(method);
  }

  /** The next answer. Rejects when the connection is closed before its end. */
  async answer(method = 'GET'): Promise<RawAnswer> {
    const head = await this.head();
    const status = Number(head.split(' ')[1]);
    const length = /^content-length: *(\d+)\r$/im.exec(head)?.[1];
    if (method === 'HEAD' || status === 204 || status === 304) return { head, body: Buffer.alloc(0) };
    if (length !== undefined) return { head, body: await this.bytes(Number(length)) };
    assert.match(head, /^transfer-encoding: *chunked\r$/im);
    const chunks: Buffer[] = [];
    for (;;) {
      const size = parseInt(await this.#until('\r\n'), 16);
      chunks.push((await this.bytes(size + 2)).subarray(0, -2));
      if (size === 0) return { head, body: Buffer.concat(chunks) };
    }
  }

  /** The head of the next answer. */
  head(): Promise<string> {
    return this.#until('\r\n\r\n');
  }

  /** Resolves to the next bytes, of this number. */
  async bytes(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let left = count;
    while (left > 0) {
      const part = this.#read(Math.min(left, this.#socket.readableLength));
      if (part) {
        parts.push(part);
        left -= part.length;
      } else await this.#more();
    }
    return Buffer.concat(parts);
  }

  /** Closes the connection. */
  leave(): void {
    this.#socket.destroy();
  }

  async #until(mark: string): Promise<string> {
    let text = '';
    while (!text.endsWith(mark)) text += (await this.bytes(1)).toString('latin1');
    return text;
  }

  #read(count: number): Buffer | null {
    return count === 0 ? null : (this.#socket.read(count) as Buffer | null);
  }

  async #more(): Promise<void> {
    if (this.#closed || this.#socket.readableEnded) throw new Error('The proxy has hung up.');
    // Nothing is read from the connection before this call.
    this.#socket.read(0);
    const given = new AbortController();
    const { signal } = given;
    await Promise.race([
      once(this.#socket, 'readable', { signal }),
      once(this.#socket, 'close', { signal }),
    ]).finally(() => given.abort());
  }
}

/**
 * Number of bytes to read from the start of a message. They contain the id of an answer or the name of an
 * event.
 */
const HEAD_BYTES = 256;

/**
 * Kind of a message: the answer to the command with this id, or an event with this name. Undefined if it is
 * neither.
 */
export type MessageHead = { id: number } | { event: string } | undefined;

/** Receiver of the browser's messages. */
export interface InboxListener {
  onMessage(text: string): void;
  /** Called when a message is skipped because it is too large. */
  onTooLarge(head: MessageHead): void;
  /** Returns the maximum size of a message with this head, in bytes. */
  limitOf(head: MessageHead): number;
}

/** Splits the browser's output into messages at NUL bytes. Messages over the limit are skipped. */
export class CdpInbox {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #limit: number | undefined;
  /** True while the rest of a too large message is skipped. */
  #passing = false;

  constructor(private readonly listener: InboxListener) {}

  take(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      this.#keep(chunk.subarray(start, end));
      const text = this.#passing ? undefined : Buffer.concat(this.#chunks).toString('utf8');
      this.#chunks = [];
      this.#bytes = 0;
      this.#limit = undefined;
      this.#passing = false;
      start = end + 1;
      if (text !== undefined) this.listener.onMessage(text);
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #keep(chunk: Buffer): void {
    if (this.#passing) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < HEAD_BYTES) return;
    this.#limit ??= this.listener.limitOf(this.#head);
    if (this.#bytes <= this.#limit) return;
    const head = this.#head;
    this.#passing = true;
    this.#chunks = [];
    this.listener.onTooLarge(head);
  }

  get #head(): MessageHead {
    const text = Buffer.concat(this.#chunks, Math.min(this.#bytes, HEAD_BYTES)).toString('latin1');
    const id = /^\{"id":(\d+),/.exec(text)?.[1];
    if (id !== undefined) return { id: Number(id) };
    const event = /^\{"method":"([\w.]+)"/.exec(text)?.[1];
    return event === undefined ? undefined : { event };
  }
}

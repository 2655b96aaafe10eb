import {
  ChunkReceiver,
  ChunkSender,
  oversized,
  type CallErrorCode,
  type ClipboardChunk,
  type ClipboardData,
  type ClipboardMessage,
  type ClipboardType,
} from '../../protocol/index.js';
import { Deferred, heard } from '../deferred.js';
import { CallError, NotConnectedError } from '../errors.js';
import type { Timers } from '../timers.js';

/** Timeout of a transfer without any message. Milliseconds. */
const TRANSFER_TIMEOUT_MS = 10_000;

/** Sends the messages and chunks of transfers. */
export interface TransferOutlet {
  send(message: ClipboardMessage): void;
  sendRaw(bytes: Uint8Array): void;
}

/** An upload to the session. */
export interface ClipboardUpload {
  /** Number of the upload, for a `paste` event or `clipboard.write`. May be 0 until the upload is sent. */
  readonly transfer: number;
  /** True if all bytes were sent. A short upload is sent at once. */
  readonly isSent: boolean;
  /**
   * Resolves when all bytes were sent. Rejects with {@link CallError} if the session refuses the upload or
   * does not answer in time, and with {@link NotConnectedError} if the connection is lost.
   */
  sent: Promise<void>;
}

class Sending implements ClipboardUpload {
  readonly #sent = new Deferred<void>();
  #sender: ChunkSender | undefined;
  timer: unknown;

  constructor(readonly transfer: number) {}

  get isSent(): boolean {
    return this.#sender?.sent ?? false;
  }

  get done(): boolean {
    return this.#sender?.done ?? false;
  }

  get sent(): Promise<void> {
    return this.#sent.promise;
  }

  begin(sender: ChunkSender): void {
    this.#sender = sender;
    if (sender.sent) this.#sent.resolve();
  }

  acknowledged(bytes: number): void {
    this.#sender?.acknowledged(bytes);
    if (this.isSent) this.#sent.resolve();
  }

  fail(error: Error): void {
    this.#sent.reject(error);
  }
}

interface Receiving {
  receiver: ChunkReceiver;
  data: Deferred<ClipboardData>;
  timer: unknown;
}

/** The clipboard transfers of one client, in both directions. Transfers under way end with the connection. */
export class ClipboardTransfers {
  readonly #sending = new Map<number, Sending>();
  readonly #receiving = new Map<number, Receiving>();
  #last = 0;
  #refused = 0;
  #outlet: TransferOutlet | undefined;

  constructor(private readonly timers: Timers) {}

  /** Opens the transfers for a connection to a session that supports them. */
  open(outlet: TransferOutlet): void {
    this.#outlet = outlet;
  }

  /** True if this upload is the newest one and was not refused. The session keeps only the newest upload. */
  isLast(transfer: number): boolean {
    return this.isOpen && transfer === this.#last && transfer !== this.#refused;
  }

  get isOpen(): boolean {
    return this.#outlet !== undefined;
  }

  /** Ends all transfers, because the connection is lost. */
  close(): void {
    this.#outlet = undefined;
    this.#refused = this.#last;
    const lost = new NotConnectedError(
      'The connection was lost while the clipboard was transferred. Try again.',
    );
    for (const id of [...this.#sending.keys()]) this.#endSending(id, lost);
    for (const id of [...this.#receiving.keys()]) this.#endReceiving(id, lost);
  }

  /**
   * Starts an upload. Throws {@link NotConnectedError} without a connection, and {@link CallError} if the
   * content is too large.
   */
  upload(data: ClipboardData): ClipboardUpload {
    const outlet = this.#outlet;
    if (!outlet) throw new NotConnectedError();
    const large = oversized([...data].map(([type, bytes]) => ({ type, size: bytes.byteLength })));
    if (large) throw tooLarge(large.type);
    // Numbers above 0x7fffffff are for transfers from the session, see `ClipboardOffer`.
    const transfer = (this.#last = (this.#last % 0x7fffffff) + 1);
    const sending = new Sending(transfer);
    this.#sending.set(transfer, sending);
    this.#await(sending, transfer);
    sending.begin(
      new ChunkSender(transfer, data, {
        offer: (offer) => outlet.send(offer),
        chunk: (bytes) => outlet.sendRaw(bytes),
        now: () => this.timers.now(),
      }),
    );
    return sending;
  }

  /**
   * Resolves to the content of a transfer that the session has started. Rejects if the session ends the
   * transfer or does not send it in time, and if the connection is lost.
   */
  download(transfer: number): Promise<ClipboardData> {
    const receiving = this.#receiving.get(transfer);
    if (!receiving) return heard(Promise.reject(lost()));
    return receiving.data.promise;
  }

  /** Handles a message from the session. */
  received(message: ClipboardMessage): void {
    const { transfer } = message;
    if (message.type === 'clipboard-offer') {
      // Allows only one download at a time, so older downloads end.
      for (const id of [...this.#receiving.keys()]) this.#endReceiving(id, lost());
      const receiving = {
        receiver: new ChunkReceiver(message.parts),
        data: new Deferred<ClipboardData>(),
        timer: undefined,
      };
      this.#receiving.set(transfer, receiving);
      this.#awaitChunk(transfer, receiving);
      if (receiving.receiver.done) this.#finish(transfer, receiving);
    } else if (message.type === 'clipboard-refused') {
      const { code, message: text } = message.error ?? {
        code: 'err_call_failed',
        message: 'The session cancelled the transfer.',
      };
      const error = new CallError(code, text);
      this.#endSending(transfer, error);
      this.#endReceiving(transfer, error);
    } else {
      const sending = this.#sending.get(transfer);
      sending?.acknowledged(message.bytes);
      if (!sending) return;
      this.timers.clearTimeout(sending.timer);
      if (sending.done) this.#sending.delete(transfer);
      else this.#await(sending, transfer);
    }
  }

  /** Handles a chunk from the session. */
  chunk({ transfer, payload }: ClipboardChunk): void {
    const receiving = this.#receiving.get(transfer);
    if (!receiving) return;
    receiving.receiver.push(payload);
    this.#outlet?.send({ type: 'clipboard-ack', transfer, bytes: receiving.receiver.received });
    this.timers.clearTimeout(receiving.timer);
    if (receiving.receiver.done) this.#finish(transfer, receiving);
    else this.#awaitChunk(transfer, receiving);
  }

  #finish(transfer: number, receiving: Receiving): void {
    const { receiver, data } = receiving;
    this.timers.clearTimeout(receiving.timer);
    data.resolve(receiver.data());
    // Keeps the content for a while, because the caller learns the transfer's number only later. After a
    // reconnect, the session uses the same numbers again, so a newer transfer may have replaced this one.
    this.timers.setTimeout(() => {
      if (this.#receiving.get(transfer) === receiving) this.#receiving.delete(transfer);
    }, TRANSFER_TIMEOUT_MS);
  }

  #await(sending: Sending, transfer: number): void {
    sending.timer = this.timers.setTimeout(() => this.#endSending(transfer, lost()), TRANSFER_TIMEOUT_MS);
  }

  #awaitChunk(transfer: number, receiving: Receiving): void {
    receiving.timer = this.timers.setTimeout(() => this.#endReceiving(transfer, lost()), TRANSFER_TIMEOUT_MS);
  }

  #endSending(transfer: number, error: Error): void {
    const sending = this.#sending.get(transfer);
    this.#sending.delete(transfer);
    // Older uploads and downloads also end here. They must not hide that the newest upload was refused.
    if (transfer === this.#last) this.#refused = transfer;
    this.timers.clearTimeout(sending?.timer);
    sending?.fail(error);
  }

  #endReceiving(transfer: number, error: Error): void {
    const receiving = this.#receiving.get(transfer);
    this.#receiving.delete(transfer);
    this.timers.clearTimeout(receiving?.timer);
    receiving?.data.reject(error);
  }
}

/** Error for content above its size limit. */
export function tooLarge(type: ClipboardType): CallError {
  const limit = type === 'image/png' ? 'Pictures may have 16 MiB' : 'Texts may have 4 MiB';
  return failed('err_clipboard_too_large', `The pasted content is too large. ${limit}.`);
}

function lost(): CallError {
  return failed('err_clipboard_no_answer', 'The clipboard was not transferred in time. Try again.');
}

function failed(code: CallErrorCode, message: string): CallError {
  return new CallError(code, message);
}

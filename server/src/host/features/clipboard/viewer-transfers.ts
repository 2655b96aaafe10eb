import {
  ChunkReceiver,
  ChunkSender,
  oversized,
  ProtocolError,
  sizeOfParts,
  type ClipboardChunk,
  type ClipboardData,
  type ClipboardMessage,
  type ClipboardOffer,
} from 'cloud-browser/protocol';
import { systemClock, type Clock, type Timer } from '../../../platform/time/clock.js';
import { TokenBucket } from '../../../platform/rates/token-bucket.js';
import { CallError, failureOf } from '../../room/calls/call-error.js';
import type { Viewer } from '../../room/viewers/viewer.js';
import type { TransferMemory } from './transfer-memory.js';

/**
 * A transfer ends if no message about it arrives for this time. A complete upload is kept for the same time,
 * so that the user can paste it again. Milliseconds.
 */
export const TRANSFER_TIMEOUT_MS = 10_000;
/**
 * Rate limit for one viewer's uploads in bytes: a burst of twice the maximum content, and two megabytes a
 * second on average.
 */
const PACE = { perSecond: 2 * 1024 * 1024, burst: 48 * 1024 * 1024 };
/**
 * Number of the first download. Viewers number their uploads from 1. A refusal names its transfer only by the
 * number, so an upload and a download must not have the same number.
 */
const FIRST_DOWNLOAD = 0x8000_0000;

interface Upload {
  transfer: number;
  receiver: ChunkReceiver;
  /**
   * Content of a complete upload. It is always the same object, so that the clipboard recognizes content that
   * it already has.
   */
  data: ClipboardData | undefined;
  free: () => void;
  timer: Timer;
}

interface Download {
  sender: ChunkSender;
  free: () => void;
  timer: Timer;
}

/** Rights of a viewer for transfers. */
export interface TransferRights {
  /** Returns true if the session accepts the viewer's input, so that the viewer may paste. */
  canUpload(): boolean;
  /** Returns true if the viewer may receive copied content. */
  canDownload(): boolean;
}

/**
 * One viewer's transfers, at most one in each direction. A new transfer replaces the older one in its
 * direction.
 */
export class ViewerTransfers {
  readonly #pace: TokenBucket;
  #upload: Upload | undefined;
  #download: Download | undefined;
  #last = FIRST_DOWNLOAD - 1;

  constructor(
    private readonly viewer: Pick<Viewer, 'send' | 'sendChunk'>,
    private readonly rights: TransferRights,
    private readonly memory: TransferMemory,
    private readonly clock: Clock = systemClock,
  ) {
    this.#pace = new TokenBucket(PACE, clock);
  }

  /**
   * True if a chunk belongs to an accepted transfer. The rate limit counted all bytes of this transfer when
   * it was offered, so its chunks are not counted again.
   */
  expects(transfer: number): boolean {
    return this.#upload?.transfer === transfer;
  }

  /** Takes a message of the viewer. Throws {@link ProtocolError} for a message that breaks the protocol. */
  take(message: ClipboardMessage): void {
    if (message.type === 'clipboard-offer') return this.#offered(message);
    const download = this.#download;
    if (download?.sender.transfer !== message.transfer) return;
    if (message.type === 'clipboard-refused') return this.#endDownload();
    if (!this.rights.canDownload()) return this.#endDownload('err_forbidden', 'You may not copy any more.');
    download.sender.acknowledged(message.bytes);
    if (download.sender.done) return this.#endDownload();
    download.timer.cancel();
    download.timer = this.#deadline(() => this.#endDownload());
  }

  /**
   * Takes a chunk. Ignores a chunk of an unknown transfer, because it may belong to a transfer that has
   * ended. Throws {@link ProtocolError}.
   */
  push({ transfer, payload }: ClipboardChunk): void {
    const upload = this.#upload;
    if (upload?.transfer !== transfer) return;
    if (upload.receiver.done) throw new ProtocolError('A transfer has more bytes than were offered.');
    upload.receiver.push(payload);
    this.#keep(upload);
    this.viewer.send({ type: 'clipboard-ack', transfer, bytes: upload.receiver.received });
  }

  /**
   * Returns the content of a complete transfer. After that, keeps the content for {@link
   * TRANSFER_TIMEOUT_MS}, so that the user can paste it again.
   */
  received(transfer: number): ClipboardData | undefined {
    const upload = this.#upload;
    if (upload?.transfer !== transfer || !upload.receiver.done) return undefined;
    this.#keep(upload);
    return (upload.data ??= upload.receiver.data());
  }

  /**
   * Starts to send content and returns the transfer's number. Throws {@link CallError} if there is not enough
   * memory.
   */
  send(data: ClipboardData): number {
    this.#endDownload('err_clipboard_busy', 'A newer transfer replaced this one.');
    const bytes = [...data.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    const free = this.memory.take(bytes);
    if (!free) throw busy();
    const transfer = this.#nextNumber();
    const { viewer, clock } = this;
    const sender = new ChunkSender(transfer, data, {
      offer: (offer) => viewer.send(offer),
      chunk: (chunk) => viewer.sendChunk(chunk),
      now: () => clock.now(),
    });
    if (sender.done) free();
    else this.#download = { sender, free, timer: this.#deadline(() => this.#endDownload()) };
    return transfer;
  }

  /** Ends all transfers. */
  close(): void {
    this.#endUpload();
    this.#endDownload();
  }

  #offered({ transfer, parts }: ClipboardOffer): void {
    this.#endUpload();
    try {
      if (!this.rights.canUpload())
        throw new CallError(
          'err_forbidden',
          'Only a user who controls the browser may paste. Ask for control first.',
        );
      const large = oversized(parts);
      if (large) throw tooLarge(large.type);
      const size = sizeOfParts(parts);
      if (!this.#pace.take(size)) throw busy();
      const free = this.memory.take(size);
      if (!free) throw busy();
      const receiver = new ChunkReceiver(parts);
      const timer = this.#deadline(() => this.#endUpload());
      this.#upload = { transfer, receiver, data: undefined, free, timer };
    } catch (error) {
      this.viewer.send({ type: 'clipboard-refused', transfer, error: failureOf(error) });
    }
  }

  #nextNumber(): number {
    this.#last += 1;
    // A viewer may have chosen this number for its upload.
    if (this.#last === this.#upload?.transfer) this.#last += 1;
    return this.#last;
  }

  #keep(upload: Upload): void {
    upload.timer.cancel();
    upload.timer = this.#deadline(() => this.#endUpload());
  }

  #endUpload(): void {
    const upload = this.#upload;
    this.#upload = undefined;
    upload?.timer.cancel();
    upload?.free();
  }

  #endDownload(...why: [] | [code: CallError['code'], message: string]): void {
    const download = this.#download;
    if (!download) return;
    this.#download = undefined;
    download.timer.cancel();
    download.free();
    if (why.length === 0) return;
    const [code, message] = why;
    const { transfer } = download.sender;
    this.viewer.send({ type: 'clipboard-refused', transfer, error: { code, message } });
  }

  #deadline(run: () => void): Timer {
    return this.clock.setTimeout(run, TRANSFER_TIMEOUT_MS);
  }
}

/** Returns the error for transfers that exceed the session's memory or the user's rate. */
function busy(): CallError {
  return new CallError('err_clipboard_busy', 'Too much is being copied and pasted. Try again in a moment.');
}

/**
 * Returns the error for content over the limit.
 *
 * @param what type of the content
 */
export function tooLarge(what = 'content'): CallError {
  const message = `The ${what} is too large: texts may have 4 MiB, pictures 16 MiB. Use a file instead.`;
  return new CallError('err_clipboard_too_large', message);
}

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
import { systemClock, type Clock, type Timer } from '../../../platform/clock.js';
import { TokenBucket } from '../../../platform/token-bucket.js';
import { CallError, failureOf } from '../calls/call-error.js';
import type { Viewer } from '../viewer.js';
import type { TransferMemory } from './transfer-memory.js';

/** A transfer of which nothing is heard for so long is given up; what has come is kept as long for another paste. Milliseconds. */
export const TRANSFER_TIMEOUT_MS = 10_000;
/** Bytes that one viewer may offer: two of everything at once, and two megabytes a second in the long run. */
const PACE = { perSecond: 2 * 1024 * 1024, burst: 48 * 1024 * 1024 };

interface Upload {
  transfer: number;
  receiver: ChunkReceiver;
  /** Once it has all come: one object, by which the clipboard knows that it has it already. */
  data: ClipboardData | undefined;
  free: () => void;
  timer: Timer;
}

interface Download {
  sender: ChunkSender;
  free: () => void;
  timer: Timer;
}

/** What the transfers of a viewer may do. */
export interface TransferRights {
  /** The viewer's input counts: it may bring something. */
  mayBring(): boolean;
  /** The viewer may have what was copied. */
  mayHave(): boolean;
}

/** One viewer's transfers: one each way at most, a newer one replaces an older. */
export class ViewerTransfers {
  readonly #pace: TokenBucket;
  #upload: Upload | undefined;
  #download: Download | undefined;
  #last = 0;

  constructor(
    private readonly viewer: Pick<Viewer, 'send' | 'sendChunk'>,
    private readonly rights: TransferRights,
    private readonly memory: TransferMemory,
    private readonly clock: Clock = systemClock,
  ) {
    this.#pace = new TokenBucket(PACE, clock);
  }

  /** Whether a chunk belongs to a transfer that was let in: then its bytes have been counted. */
  expects(transfer: number): boolean {
    return this.#upload?.transfer === transfer;
  }

  /** Takes a message of the viewer. Throws {@link ProtocolError} for what no viewer sends. */
  take(message: ClipboardMessage): void {
    if (message.type === 'clipboard-offer') return this.#offered(message);
    const download = this.#download;
    if (download?.sender.transfer !== message.transfer) return;
    if (message.type === 'clipboard-refused') return this.#endDownload();
    if (!this.rights.mayHave()) return this.#endDownload('err_forbidden', 'You may not copy any more.');
    download.sender.acknowledged(message.bytes);
    if (download.sender.done) return this.#endDownload();
    download.timer.cancel();
    download.timer = this.#deadline(() => this.#endDownload());
  }

  /** Takes a chunk; one of no transfer under way is late and counts for nothing. Throws {@link ProtocolError}. */
  push({ transfer, payload }: ClipboardChunk): void {
    const upload = this.#upload;
    if (upload?.transfer !== transfer) return;
    if (upload.receiver.done) throw new ProtocolError('A transfer has more bytes than were offered.');
    upload.receiver.push(payload);
    this.#keep(upload);
    this.viewer.send({ type: 'clipboard-ack', transfer, bytes: upload.receiver.received });
  }

  /** What has come whole in a transfer; it stays for a while, for another paste. */
  received(transfer: number): ClipboardData | undefined {
    const upload = this.#upload;
    if (upload?.transfer !== transfer || !upload.receiver.done) return undefined;
    this.#keep(upload);
    return (upload.data ??= upload.receiver.data());
  }

  /** Begins to send something; returns the number of the transfer. Throws {@link CallError} when there is no room for it. */
  send(data: ClipboardData): number {
    this.#endDownload('err_clipboard_busy', 'Another transfer took the place of this one.');
    const bytes = [...data.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    const free = this.memory.take(bytes);
    if (!free) throw busy();
    const transfer = ++this.#last;
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

  /** Gives up all of it. */
  close(): void {
    this.#endUpload();
    this.#endDownload();
  }

  #offered({ transfer, parts }: ClipboardOffer): void {
    this.#endUpload();
    try {
      if (!this.rights.mayBring())
        throw new CallError(
          'err_forbidden',
          'Only who controls the browser may paste. Ask for control first.',
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

/** More is under way than a session has memory for, or than a user may send. */
function busy(): CallError {
  return new CallError('err_clipboard_busy', 'Too much is being copied and pasted. Try again in a moment.');
}

/** @param what the type that is over its limit */
export function tooLarge(what = 'content'): CallError {
  const message = `The ${what} is too large: texts may have 4 MiB, pictures 16 MiB. Use a file instead.`;
  return new CallError('err_clipboard_too_large', message);
}

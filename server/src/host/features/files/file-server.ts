import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { once } from 'node:events';
import type { Clock } from '../../../platform/time/clock.js';
import type { Downloads } from './downloads/downloads.js';
import type { FilePace } from './file-pace.js';
import type { Reception, Uploads } from './uploads/uploads.js';

/** A download request is ended if no byte is sent for this time. Milliseconds. */
export const TRANSFER_STALL_MS = 30_000;
/** Maximum number of concurrent requests of a session. */
const MAX_REQUESTS = 32;
/** Maximum number of concurrent downloads of programs. The remaining requests are left for people. */
const MAX_OF_PROGRAMS = 12;
/** Maximum number of bytes that one read from the disk returns. */
const PART_BYTES = 64 * 1024;
const REQUEST_PATH = /^\/([A-Za-z0-9_-]{43})(?:\?offset=(\d{1,15}))?$/;

const REFUSALS = {
  403: ['err_forbidden', 'You may not send or fetch files in this session any more.'],
  404: ['err_not_found', 'There is no such file here. Ask the session for another ticket.'],
  409: [
    'err_upload_offset',
    'The part starts at the wrong offset. Continue at the offset in the field "received" of the response.',
  ],
  413: ['err_file_too_large', 'The request has more bytes than were announced for this file.'],
  429: ['err_too_many_requests', 'Too many transfers at once. Wait for some to finish.'],
  507: ['err_file_quota', 'The session has no room for this file.'],
} as const;

/** A running download whose progress is checked. */
interface Transfer {
  movedAt: number;
  may: () => boolean;
  end: () => void;
}

/**
 * Receives and sends the bytes of files for holders of tickets. The service forwards the requests to this
 * process over a channel. Each request is an HTTP/2 stream with backpressure.
 */
export class FileServer {
  readonly #server = createServer();
  readonly #transfers = new Set<Transfer>();
  #open = 0;
  /** Running downloads of programs. */
  #ofPrograms = 0;

  constructor(
    private readonly uploads: Pick<Uploads, 'receive'>,
    private readonly downloads: Pick<Downloads, 'open'>,
    private readonly pace: Pick<FilePace, 'pass'>,
    private readonly clock: Pick<Clock, 'now'>,
    /** Called when a request has uploaded bytes of a file, and when a download begins. */
    private readonly onRequest: () => void,
  ) {
    this.#server.on('stream', (stream, headers) => {
      stream.on('error', () => stream.destroy());
      void this.#answer(stream, headers).catch(() => stream.destroy());
    });
    this.#server.on('sessionError', () => undefined);
  }

  /** True if any download is being sent. */
  get busy(): boolean {
    return this.#transfers.size > 0;
  }

  /** Serves the requests that arrive over a channel. */
  serve(channel: Duplex): void {
    this.#server.emit('connection', channel);
  }

  /**
   * Ends downloads that have stalled or are no longer allowed. Call it once a second while any download is
   * running.
   */
  look(): void {
    const now = this.clock.now();
    for (const transfer of [...this.#transfers])
      if (now - transfer.movedAt >= TRANSFER_STALL_MS || !transfer.may()) transfer.end();
  }

  close(): void {
    for (const transfer of [...this.#transfers]) transfer.end();
  }

  async #answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const [, ticket, offset = '0'] = REQUEST_PATH.exec(headers[':path'] ?? '') ?? [];
    if (ticket === undefined || this.#open >= MAX_REQUESTS) {
      refuse(stream, { status: ticket === undefined ? 404 : 429 });
      return;
    }
    this.#open += 1;
    try {
      if (headers[':method'] === 'POST') await this.#receive(stream, ticket, Number(offset));
      else await this.#give(stream, ticket);
    } finally {
      this.#open -= 1;
    }
  }

  async #receive(stream: ServerHttp2Stream, ticket: string, offset: number): Promise<void> {
    const reception = await this.uploads.receive(ticket, offset, bodyOf(stream));
    if (reception.status !== 200) {
      refuse(stream, reception);
      // Discards the bytes that the client still sends.
      stream.resume();
      return;
    }
    this.onRequest();
    reply(stream, 200, { received: reception.received });
  }

  async #give(stream: ServerHttp2Stream, ticket: string): Promise<void> {
    const opened = await this.downloads.open(ticket);
    if (!opened || opened === 'forbidden') {
      refuse(stream, { status: opened ? 403 : 404 });
      return;
    }
    const { file, size, name, holder } = opened;
    if (holder.begin && this.#ofPrograms >= MAX_OF_PROGRAMS) {
      await file.close();
      refuse(stream, { status: 429 });
      return;
    }
    this.onRequest();
    const transfer: Transfer = {
      movedAt: this.clock.now(),
      may: () => holder.may,
      end: () => stream.destroy(),
    };
    this.#transfers.add(transfer);
    const ended = holder.begin?.();
    if (ended) this.#ofPrograms += 1;
    try {
      stream.respond({ ':status': 200, 'content-length': size, 'x-file-name': encodeURIComponent(name) });
      const part = Buffer.allocUnsafe(PART_BYTES);
      for (let at = 0; at < size && !stream.closed; transfer.movedAt = this.clock.now()) {
        const { bytesRead } = await file.read(part, 0, Math.min(PART_BYTES, size - at), at);
        // The file has become shorter. The client notices that bytes are missing.
        if (bytesRead === 0) return void stream.destroy();
        at += bytesRead;
        await this.pace.pass(bytesRead);
        if (!stream.write(Buffer.from(part.subarray(0, bytesRead)))) await drained(stream);
      }
      // A closed stream has no reader any more, but it still must be destroyed.
      if (stream.closed) stream.destroy();
      else stream.end();
    } finally {
      this.#transfers.delete(transfer);
      if (ended) this.#ofPrograms -= 1;
      ended?.();
      await file.close();
    }
  }
}

/**
 * Returns the body of a request. If the reader of the body stops early, the stream stays open, so that the
 * refusal can be sent on it.
 */
function bodyOf(stream: ServerHttp2Stream): AsyncIterable<Buffer> & { destroy(): void } {
  return {
    [Symbol.asyncIterator]: () =>
      stream.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>,
    destroy: () => stream.destroy(),
  };
}

/** Resolves when the stream has room again, or is closed. */
async function drained(stream: ServerHttp2Stream): Promise<void> {
  if (stream.closed || !stream.writableNeedDrain) return;
  const given = new AbortController();
  const { signal } = given;
  const quietly = (event: string) => once(stream, event, { signal }).catch(() => undefined);
  await Promise.race([quietly('drain'), quietly('close'), quietly('aborted')]).finally(() => given.abort());
}

function refuse(stream: ServerHttp2Stream, reception: Reception | { status: 429 }): void {
  const { status } = reception;
  if (status === 200) return;
  const [code, message] = REFUSALS[status];
  reply(stream, status, { code, message, ...('received' in reception && { received: reception.received }) });
}

function reply(stream: ServerHttp2Stream, status: number, body: object): void {
  if (stream.destroyed || stream.headersSent) return;
  stream.respond({ ':status': status, 'content-type': 'application/json; charset=utf-8' });
  stream.end(JSON.stringify(body));
}

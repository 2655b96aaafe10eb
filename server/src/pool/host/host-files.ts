import { connect, constants, type ClientHttp2Session } from 'node:http2';
import type { Duplex } from 'node:stream';
import { HostCallError } from '../../sessions/host-call-error.js';
import type { FileAnswer, FileRequest } from '../../sessions/ports.js';

/**
 * Time in milliseconds without data from the host after which a request ends. The host itself ends a stalled
 * request earlier.
 */
const SILENCE_MS = 45_000;

/**
 * Passes requests for a session's files to its host over a separate pipe. Each request has one HTTP/2 stream,
 * which is read at the client's speed. So this process never has a complete file in memory.
 */
export class HostFiles {
  #session: ClientHttp2Session | undefined;
  #closed = false;

  /** @param channel pipe to the host; this object owns it from now on */
  constructor(private readonly channel: Duplex) {
    channel.on('error', () => this.close());
    channel.once('close', () => (this.#closed = true));
  }

  /**
   * Resolves when the host has sent the status and headers of its answer. Rejects with {@link HostCallError}
   * if there will be no answer.
   */
  ask({ method, ticket, offset, body }: FileRequest): Promise<FileAnswer> {
    const session = this.#closed ? undefined : this.#connected();
    // The HTTP/2 session is destroyed a moment before it emits `close`. A request in this moment would throw.
    if (!session || session.destroyed) return Promise.reject(gone());
    const stream = session.request(
      { ':method': method, ':path': `/${ticket}?offset=${offset}` },
      { endStream: !body },
    );
    stream.setTimeout(SILENCE_MS, () => stream.close(constants.NGHTTP2_CANCEL));
    if (body) {
      // The uploading client may disconnect before the end.
      body.once('close', () => {
        if (!body.readableEnded) stream.close(constants.NGHTTP2_CANCEL);
      });
      body.on('error', () => stream.close(constants.NGHTTP2_CANCEL));
      body.pipe(stream);
    }
    return new Promise((resolve, reject) => {
      stream.on('error', () => reject(gone()));
      stream.once('close', () => reject(gone()));
      stream.once('response', (headers) => {
        const length = Number(headers['content-length']);
        resolve({
          status: headers[':status'] ?? 500,
          ...(Number.isSafeInteger(length) && { length }),
          ...(typeof headers['x-file-name'] === 'string' && { name: headers['x-file-name'] }),
          body: stream,
        });
      });
    });
  }

  /** Ends every request. */
  close(): void {
    this.#closed = true;
    this.#session?.destroy();
    this.channel.destroy();
  }

  #connected(): ClientHttp2Session {
    if (this.#session) return this.#session;
    const session = connect('http://host', { createConnection: () => this.channel });
    session.on('error', () => this.close());
    session.once('close', () => (this.#closed = true));
    this.#session = session;
    return session;
  }
}

function gone(): HostCallError {
  return new HostCallError(
    'err_session_terminated',
    'The session has ended, or the transfer of this file was cancelled.',
  );
}

import { closeSync, ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { ShmExtension } from 'x11';
import { displayEnd, request, roundTrip, type XConnection } from '../display/x-client.js';
import type { Rect } from './frame-source.js';

/** Plane mask of the request GetImage that selects all bits of a pixel; X11 protocol, GetImage. */
export const ALL_PLANES = 0xffffffff;
/** Format of the request GetImage: whole pixels, row by row. */
export const Z_PIXMAP = 2;
/** The minor opcode of MIT-SHM's AttachFd. */
const ATTACH_FD = 6;

/** An error that the X server or the connection reports. */
interface XError extends Error {
  /** Sequence number of the request that failed. */
  seq?: number;
}

/**
 * Memory into which the X server writes pictures and from which the host reads them. The memory is a file in
 * /dev/shm, whose name is removed at once. The host passes the file's descriptor to the server (MIT-SHM 1.2).
 * The kernel frees the memory when no process uses it any more, even after a crash.
 */
export class SharedSegment {
  #closed = false;

  private constructor(
    private readonly shm: ShmExtension,
    private readonly id: number,
    private readonly descriptor: number,
  ) {}

  /**
   * Creates a segment. Throws if this display or this version of Node cannot share memory. The caller then
   * reads pictures over the socket.
   */
  static async create(connection: XConnection, shm: ShmExtension, bytes: number): Promise<SharedSegment> {
    if (!shm.fdCapable) throw new Error('This X connection cannot pass descriptors.');
    const id = connection.x.AllocID();
    const path = `/dev/shm/cloud-browser-${randomUUID()}`;
    const ours = openSync(path, 'wx+', 0o600);
    let theirs: number;
    try {
      ftruncateSync(ours, bytes);
      theirs = openSync(path, 'r+');
    } catch (error) {
      closeSync(ours);
      throw error;
    } finally {
      unlinkSync(path);
    }
    try {
      await attach(connection, shm, id, theirs);
    } catch (error) {
      closeSync(ours);
      throw error;
    }
    return new SharedSegment(shm, id, ours);
  }

  /** Makes the server write an area of a window to the start of the segment, row by row without gaps. */
  async capture(window: number, { x, y, width, height }: Rect): Promise<void> {
    await request<{ size: number }>((reply) =>
      this.shm.GetImage(window, x, y, width, height, ALL_PLANES, Z_PIXMAP, this.id, 0, reply),
    );
  }

  /**
   * Copies bytes out of the segment, from `offset` on, to the start of `target`. Throws if the segment was
   * closed, because another file may have its descriptor by then.
   */
  read(target: Buffer, length: number, offset: number): void {
    if (this.#closed) throw new Error('The shared memory is closed.');
    readSync(this.descriptor, target, 0, length, offset);
  }

  close(): void {
    this.#closed = true;
    this.shm.Detach(this.id);
    closeSync(this.descriptor);
  }
}

/**
 * Attaches a segment. The AttachFd of the package `x11` reopens the descriptor through /proc/self/fd. A
 * process that has changed its UID is not allowed to do this. So this function sends a second descriptor of
 * the same file. The encoding of the request is from shm.xml of xcb-proto. Rejects if the server refuses the
 * segment, or if the display ends.
 */
async function attach(
  connection: XConnection,
  shm: ShmExtension,
  id: number,
  descriptor: number,
): Promise<void> {
  const { x } = connection;
  const attachRequest = Buffer.alloc(12);
  attachRequest.writeUInt8(shm.majorOpcode, 0);
  attachRequest.writeUInt8(ATTACH_FD, 1);
  attachRequest.writeUInt16LE(3, 2);
  attachRequest.writeUInt32LE(id >>> 0, 4);
  const sequence = ++x.seq_num;
  // The request has no reply. If the server refuses it, an error event arrives before the reply to the next
  // request.
  const refused = new Promise<never>((_, reject) => {
    x.on('error', (error: XError) => {
      if (error.seq === sequence) reject(error);
    });
  });
  x.pack_stream.putWithFds(attachRequest, [descriptor]);
  x.pack_stream.submit();
  await Promise.race([refused, displayEnd(connection), roundTrip(connection)]);
}

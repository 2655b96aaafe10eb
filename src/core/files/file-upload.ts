import type { FileTarget, OfferedFile } from '../../protocol/index.js';
import { isUnderWay, type ConnectionState } from '../connection/connection-states.js';
import { FileSender, type LocalFile, type UploadOptions } from './file-sender.js';
import type { Remote } from '../calls/remote.js';
import { NotConnectedError } from '../errors.js';
import type { Timers } from '../timers.js';

/** Number of files that are sent in parallel. */
const LANES = 3;
/** Maximum characters of one offer. A message to the session may have at most 65536 characters. */
const MAX_OFFER_CHARS = 40_000;
/** Pause before the next look at the connection while the client reconnects. Milliseconds. */
const RECONNECT_PAUSE_MS = 500;

/** The parts of the client that an upload needs. */
export interface UploadParts {
  remote: Remote;
  timers: Timers;
  /**
   * Returns the URL for the bytes of a file. The URL contains the ticket that the session has issued for this
   * file.
   */
  address: (ticket: string) => string;
  /** Returns the state of the client. */
  state: () => ConnectionState;
}

/** Uploads files to a page, see `Files.upload`. A page loads this module with the first upload. */
export async function uploadFiles(
  parts: UploadParts,
  target: FileTarget,
  files: readonly LocalFile[],
  { onProgress, signal }: UploadOptions,
): Promise<void> {
  const { timers, address } = parts;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const sender = new FileSender(timers, async () => {
    const waited = await connected(parts, signal);
    if (!isUnderWay(parts.state())) throw new NotConnectedError();
    return waited;
  });
  await connected(parts, signal);
  const { id, tickets } = await offer(parts, target, files);
  let [sent, next] = [0, 0];
  const lane = async (): Promise<void> => {
    for (let index = next++; index < files.length; index = next++) {
      const [file, ticket] = [files[index], tickets[index]];
      if (!file || ticket === undefined) return;
      await sender.send(address(ticket), file, signal, (bytes) => onProgress?.((sent += bytes), total));
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
    await finish(parts, id, signal);
  } catch (error) {
    next = files.length;
    cancel(parts, id);
    throw error;
  }
}

/**
 * Waits while the client connects, because a user may choose the files in a gap of the network, and the gap
 * may come during the upload. Resolves to true if it had to wait.
 */
async function connected({ timers, state }: UploadParts, signal: UploadOptions['signal']): Promise<boolean> {
  let waited = false;
  while (isUnderWay(state()) && state() !== 'playing') {
    signal?.throwIfAborted();
    waited = true;
    await pause(timers);
  }
  return waited;
}

function pause(timers: Timers): Promise<void> {
  return new Promise((resolve) => timers.setTimeout(resolve, RECONNECT_PAUSE_MS));
}

/**
 * Gives the files to the page. The session keeps the bytes for some seconds without a connection, so the
 * client tries again after a reconnect.
 */
async function finish(
  { remote, timers, state }: UploadParts,
  upload: string,
  signal: UploadOptions['signal'],
): Promise<void> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      await remote.call('files.finish', [upload]);
      return;
    } catch (error) {
      if (!(error instanceof NotConnectedError) || !isUnderWay(state())) throw error;
    }
    await pause(timers);
  }
}

/**
 * Cancels an upload in the session. While the client reconnects, this waits. Otherwise the page would wait
 * for the files until the session cancels the upload itself.
 */
function cancel(parts: UploadParts, upload: string): void {
  void connected(parts, undefined)
    .then(() => parts.remote.call('files.cancel', [upload]))
    .catch(() => undefined);
}

async function offer(
  parts: UploadParts,
  target: FileTarget,
  files: readonly LocalFile[],
): Promise<{ id: string; tickets: string[] }> {
  let [id, chars] = ['', 0];
  let part: OfferedFile[] = [];
  const tickets: string[] = [];
  const send = async (): Promise<void> => {
    const upload = await parts.remote.call('files.offer', [id ? { upload: id } : target, part]);
    id = upload.id;
    tickets.push(...upload.tickets);
    [part, chars] = [[], 0];
  };
  try {
    for (const file of files) {
      const offered = offerOf(file);
      chars += JSON.stringify(offered).length;
      if (chars > MAX_OFFER_CHARS && part.length > 0) await send();
      part.push(offered);
    }
    await send();
  } catch (error) {
    if (id) cancel(parts, id);
    throw error;
  }
  return { id, tickets };
}

function offerOf({ name, size, lastModified, webkitRelativePath = '' }: LocalFile): OfferedFile {
  const folder = webkitRelativePath.split('/').slice(0, -1).join('/');
  return { name, size, ...(folder && { folder }), ...(lastModified !== undefined && { lastModified }) };
}

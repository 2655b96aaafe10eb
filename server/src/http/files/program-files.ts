import { Readable } from 'node:stream';
import type { CallingAgent } from '../../host-protocol.js';
import { readWithin, type McpFile } from '../../mcp/file-results.js';
import type { FileAnswer } from '../../sessions/ports.js';
import type { Session } from '../../sessions/session.js';

/**
 * Opens a finished download on behalf of a program. The answer contains the bytes of the file, or a refusal
 * of the host. Rejects with `HostCallError`.
 */
export async function openDownload(session: Session, program: CallingAgent, id: string): Promise<FileAnswer> {
  const ticket = await session.host.forward('computer.ticket', [{ id }], program);
  return session.host.file({ method: 'GET', ticket, offset: 0 });
}

/**
 * Reads a finished download for the result of an MCP tool. Rejects with an error whose message is for the
 * model.
 */
export async function readDownload(session: Session, program: CallingAgent, id: string): Promise<McpFile> {
  const { status, length, name = '', body } = await openDownload(session, program, id);
  try {
    const bytes = await readWithin(body, length);
    if (status !== 200) throw new Error(messageOf(bytes));
    return { name: decodeURIComponent(name), bytes };
  } finally {
    body.destroy();
  }
}

/** A file that a program has sent. */
export interface UploadedFile {
  id: string;
  name: string;
  size: number;
}

/**
 * Sends a file to the session on behalf of a program. Resolves to the stored file, or to the answer of the
 * host if the host refuses the bytes. Rejects with `HostCallError`. After a failure, removes the bytes that
 * have arrived.
 */
export async function uploadFile(
  session: Session,
  program: CallingAgent,
  file: { name: string; size: number },
  body: Readable,
): Promise<UploadedFile | FileAnswer> {
  const { id, tickets } = await session.host.forward('computer.stage', [file], program);
  try {
    const answer = await session.host.file({ method: 'POST', ticket: tickets[0] ?? '', offset: 0, body });
    if (answer.status !== 200) {
      await discard(session, program, id);
      return answer;
    }
    answer.body.resume();
    await session.host.forward('computer.keep', [{ id }], program);
    return { id, ...file };
  } catch (error) {
    await discard(session, program, id);
    throw error;
  }
}

/**
 * Same as {@link uploadFile}, for the result of an MCP tool. Rejects with an error whose message is for the
 * model.
 */
export async function uploadBytes(
  session: Session,
  program: CallingAgent,
  name: string,
  bytes: Uint8Array,
): Promise<UploadedFile> {
  const file = { name, size: bytes.length };
  const sent = await uploadFile(session, program, file, Readable.from([bytes]));
  if ('id' in sent) return sent;
  throw new Error(messageOf(await readWithin(sent.body)));
}

async function discard(session: Session, program: CallingAgent, id: string): Promise<void> {
  // The session may have removed the upload already, or may have ended.
  await session.host.forward('computer.discard', [{ id }], program).catch(() => undefined);
}

/** Returns the message of a host's refusal. */
function messageOf(bytes: Uint8Array): string {
  const { message } = JSON.parse(Buffer.from(bytes).toString()) as { message: string };
  return message;
}

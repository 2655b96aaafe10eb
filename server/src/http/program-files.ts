import type { CallingAgent } from '../host-protocol.js';
import { readWithin, type McpFile } from '../mcp/file-results.js';
import type { FileAnswer } from '../sessions/ports.js';
import type { Session } from '../sessions/session.js';

/**
 * Opens a finished download on behalf of a program. The host may still refuse it in its answer. Rejects with
 * `HostCallError`.
 */
export async function openDownload(session: Session, program: CallingAgent, id: string): Promise<FileAnswer> {
  const ticket = await session.forward('computer.ticket', [{ id }], program);
  return session.file({ method: 'GET', ticket, offset: 0 });
}

/** Reads a finished download for a result of MCP. Rejects with an error whose message is for the model. */
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

/** Returns the sentence of the host's refusal. */
function messageOf(bytes: Uint8Array): string {
  const { message } = JSON.parse(Buffer.from(bytes).toString()) as { message: string };
  return message;
}

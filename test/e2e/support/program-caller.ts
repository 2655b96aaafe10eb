import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { atEnd } from './cleanup.js';
import type { Session } from './service.js';

/** Outcome of a program's call. */
export interface CallOutcome {
  refused: boolean;
  /** Everything that the program reads. */
  text: string;
  /** The picture of a screenshot, a PNG. */
  image: Buffer | undefined;
}

/** A program that uses a session by calls. */
export interface ProgramCaller {
  readonly kind: 'HTTP' | 'MCP';
  /** True if this kind of program can make a call. */
  has(method: string): boolean;
  call(method: string, fields?: object): Promise<CallOutcome>;
}

/** Tools of MCP, by the method of computer use that each of them calls. */
const TOOLS = new Map([
  ...['open', 'click', 'type', 'key', 'scroll', 'screenshot', 'tabs', 'files', 'dialog'].map(
    (name) => [name, name] as const,
  ),
  ['accessibility', 'snapshot'],
  ['set', 'select'],
]);

const addressOf = ({ embed_url: url }: Session): string => url.split('?')[0] ?? '';
const pictureOf = (data: unknown) => (typeof data === 'string' ? Buffer.from(data, 'base64') : undefined);

/** Returns a program that calls over HTTP. */
export function httpCaller(session: Session, token = session.admin_token): ProgramCaller {
  return {
    ...{ kind: 'HTTP', has: () => true },
    async call(method, fields = {}) {
      const response = await fetch(`${addressOf(session)}/computer/${method}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify(fields),
      });
      const body = (await response.json()) as { data?: unknown };
      const { data, ...rest } = body;
      return { refused: !response.ok, text: JSON.stringify(rest), image: pictureOf(data) };
    },
  };
}

/** Connects a client of MCP. */
export async function mcpClient(session: Session, token = session.admin_token): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  const url = new URL(`${addressOf(session)}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  atEnd(() => client.close());
  return client;
}

/** Returns a program that calls the tools of MCP. */
export async function mcpCaller(session: Session, token = session.admin_token): Promise<ProgramCaller> {
  const client = await mcpClient(session, token);
  return {
    ...{ kind: 'MCP', has: (method) => TOOLS.has(method) },
    async call(method, fields = {}) {
      const { content, isError } = (await client.callTool({
        name: TOOLS.get(method) ?? method,
        arguments: { ...fields },
      })) as { content: { text?: string; data?: string }[]; isError?: boolean };
      const text = content.map((part) => part.text ?? '').join('\n');
      return { refused: isError === true, text, image: pictureOf(content[0]?.data) };
    },
  };
}

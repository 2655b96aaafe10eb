import assert from 'node:assert/strict';
import { askSession } from './ask-session.js';
import { mcpCaller } from './program-caller.js';
import { RawProgram } from './raw-program.js';
import { RawViewer } from './raw-viewer.js';
import type { Session } from './service.js';
import { until } from './until.js';

/** A token that was issued for a session. */
export interface IssuedToken {
  token_id: string;
  token: string;
  url?: string;
  cdp_url?: string;
  expires: string;
}

/** Issues a token. */
export async function issue(session: Session, body: object): Promise<IssuedToken> {
  return (await askSession(session, 'POST', 'tokens', body)) as IssuedToken;
}

/** A connection that a token has admitted. */
export interface TokenConnection {
  readonly name: string;
  /** Resolves when it has ended, to the time by `performance.now()` and the reason that it was given. */
  ended: () => Promise<{ at: number; reason: string }>;
}

/** A session as its clients reach it through one node. */
export type Through = (url: string) => string;

/** Opens a connection of each kind that a token admits. The token has the scope `control` or `automation`. */
export async function connectAll(
  session: Session,
  { token, url, cdp_url: cdpUrl }: IssuedToken,
  through: Through = (address) => address,
): Promise<TokenConnection[]> {
  if (url !== undefined) {
    const viewer = await RawViewer.open({ ...session, embed_url: through(url) });
    const ended = () =>
      until('the viewer is disconnected', () => viewer.closed).then(({ at, reason = '' }) => ({
        at,
        reason,
      }));
    return [{ name: 'viewer', ended }];
  }
  const program = await RawProgram.attached(through(cdpUrl ?? assert.fail('The token has no address.')));
  const address = { ...session, embed_url: through(session.embed_url) };
  const caller = await mcpCaller(address, token);
  assert.equal((await caller.call('tabs')).refused, false);
  return [
    { name: 'program', ended: () => until('the program is disconnected', () => program.closed) },
    {
      name: 'MCP',
      ended: async () => {
        const reason = await until('MCP is refused', () => caller.call('tabs').then(() => '', String));
        return { at: performance.now(), reason };
      },
    },
  ];
}

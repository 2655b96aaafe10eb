import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { HandoffState } from 'cloud-browser/protocol';
import type { ApiKeys } from '../../auth/api-keys.js';
import type { TokenScope } from '../../host-protocol.js';
import type { Session } from '../../sessions/session.js';
import { ServiceError } from '../../service-error.js';
import { HandoffBody, HandoffPath, HandoffQuery, HandoffView } from '../schemas/handoffs.js';
import { AddressPath } from '../schemas/session-control.js';
import {
  adminSession,
  openToPages,
  orKey,
  requireScope,
  SESSION_PATH,
  type SessionScopeParts,
} from '../session-scope.js';

const SCOPES: ReadonlySet<TokenScope> = new Set(['admin', 'automation']);
/** Longest wait of one call to the session, in seconds. It is shorter than the timeout of such calls. */
const CALL_SECONDS = 8;

const base = { tags: ['A session'], params: HandoffPath, response: { 200: HandoffView } };
const PATH = `${SESSION_PATH}/handoffs/:handoff_id`;

/** The hand-offs of one session. Needs an automation or admin token of it, or an API key. */
export function handoffRoutes(parts: SessionScopeParts & { apiKeys: ApiKeys }): FastifyPluginCallbackTypebox {
  const onRequest = orKey(requireScope(parts, SCOPES), parts, parts.apiKeys);

  return (app, _options, done) => {
    openToPages(app);
    app.post(
      `${SESSION_PATH}/handoffs`,
      {
        onRequest,
        schema: { ...base, params: AddressPath, summary: 'Ask for a person', body: HandoffBody },
      },
      async ({ params, body }) =>
        viewOf(await programSession(parts, params.address).call('handoffs.request', [body])),
    );

    app.get(
      PATH,
      { onRequest, schema: { ...base, summary: 'Read a hand-off', querystring: HandoffQuery } },
      async ({ params, query }) => {
        const session = programSession(parts, params.address);
        return viewOf(await ended(session, params.handoff_id, Number(query.wait ?? 0)));
      },
    );

    app.delete(PATH, { onRequest, schema: { ...base, summary: 'Withdraw a hand-off' } }, async ({ params }) =>
      viewOf(await programSession(parts, params.address).call('handoffs.withdraw', [params.handoff_id])),
    );
    done();
  };
}

/** Returns the session of a request. Throws {@link ServiceError} if programs may not drive it. */
function programSession({ sessions }: SessionScopeParts, address: string): Session {
  const session = adminSession(sessions, address);
  if (!session.hasAutomation) throw new ServiceError('err_no_automation');
  return session;
}

/** Resolves to a hand-off when it has ended, or after this many seconds. */
async function ended(session: Session, id: string, seconds: number): Promise<HandoffState> {
  const wait = Math.min(seconds, CALL_SECONDS);
  const state = await session.call('handoffs.get', [id, wait]);
  return state.outcome || seconds <= wait ? state : ended(session, id, seconds - wait);
}

function viewOf({ requestedAt, expiresAt, answeredBy, ...state }: HandoffState) {
  return { ...state, requested_at: requestedAt, expires_at: expiresAt, answered_by: answeredBy };
}

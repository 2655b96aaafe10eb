import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { HandoffState } from 'cloud-browser/protocol';
import {
  HandoffBody,
  HandoffList,
  HandoffPath,
  HandoffQuery,
  HandoffView,
} from '../../schemas/session/handoffs.js';
import { endedHandoff, forPrograms, programOf, type ProgramScopeParts } from '../../access/program-scope.js';
import { leavingOf } from '../../access/leaving.js';
import { AddressPath } from '../../schemas/session/session-control.js';
import { ADMIN_OR_KEY, openToPages, SESSION_PATH } from '../../access/session-scope.js';

const base = {
  tags: ['A session'],
  security: ADMIN_OR_KEY,
  params: HandoffPath,
  response: { 200: HandoffView },
};
const PATH = `${SESSION_PATH}/handoffs/:handoff_id`;

/**
 * Routes for the hand-offs of one session. A hand-off is a program's request for a person. The routes need an
 * automation or admin token of the session, or an API key.
 */
export function handoffRoutes(parts: ProgramScopeParts): FastifyPluginCallbackTypebox {
  const { onRequest, sessionAt } = forPrograms(parts);

  return (app, _options, done) => {
    openToPages(app);
    app.post(
      `${SESSION_PATH}/handoffs`,
      {
        onRequest,
        schema: { ...base, params: AddressPath, summary: 'Ask for a person', body: HandoffBody },
      },
      async (request) => {
        const session = sessionAt(request.params.address);
        return viewOf(await session.host.forward('handoffs.request', [request.body], programOf(request)));
      },
    );

    app.get(
      `${SESSION_PATH}/handoffs`,
      {
        onRequest,
        schema: {
          ...base,
          params: AddressPath,
          summary: 'List the open hand-offs',
          response: { 200: HandoffList },
        },
      },
      ({ params }) => ({ handoffs: sessionAt(params.address).openHandoffs.map(viewOf) }),
    );

    app.get(
      PATH,
      { onRequest, schema: { ...base, summary: 'Read a hand-off', querystring: HandoffQuery } },
      async (request, reply) => {
        const { params, query } = request;
        const session = sessionAt(params.address);
        const seconds = Number(query.wait ?? 0);
        const [program, leaving] = [programOf(request), leavingOf(reply)];
        return viewOf(await endedHandoff(session, params.handoff_id, seconds, program, leaving));
      },
    );

    app.delete(PATH, { onRequest, schema: { ...base, summary: 'Withdraw a hand-off' } }, async (request) => {
      const { address, handoff_id: id } = request.params;
      return viewOf(await sessionAt(address).host.forward('handoffs.withdraw', [id], programOf(request)));
    });
    done();
  };
}

function viewOf({ requestedAt, expiresAt, answeredBy, ...state }: HandoffState) {
  return { ...state, requested_at: requestedAt, expires_at: expiresAt, answered_by: answeredBy };
}

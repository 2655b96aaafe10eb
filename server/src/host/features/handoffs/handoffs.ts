import type { Handoff } from 'cloud-browser/protocol';
import { forAdmins, forRole, viewerOf } from '../../room/calls/access.js';
import { needsControl } from '../../room/calls/call-error.js';
import { WAIT, WORK } from '../../room/calls/call-lane.js';
import { canUse } from '../../room/users/can-use.js';
import type { Viewer } from '../../room/viewers/viewer.js';
import type { MakeFeature } from '../feature.js';
import { answerOf, handoffIdOf, requestOf, waitOf } from '../../room/agents/handoff-arguments.js';

/**
 * Shows agents and their hand-offs to viewers, and lets viewers and backends use hand-offs. A hand-off is an
 * agent's request for the help of a person. The feature does nothing in sessions without `automation`.
 */
export const handoffs: MakeFeature = ({ session, calls, users, onHandoff }) => {
  if (!session.automation) return {};
  const { agents, roster } = users;
  const { name: standardName, roles: standardRoles } = session.automation;
  /** The ids of the hand-offs that each viewer received last. */
  const sent = new WeakMap<Viewer, string>();

  const show = (viewer: Viewer, open: Handoff[]): void => {
    const visible = canUse(viewer, 'control') ? open : [];
    const ids = visible.map(({ id }) => id).join();
    if ((sent.get(viewer) ?? '') === ids) return;
    sent.set(viewer, ids);
    viewer.send({ type: 'handoffs', open: visible });
  };
  const showAll = (): void => {
    const open = agents.handoffs.open();
    for (const viewer of roster.viewers()) show(viewer, open);
  };
  const named = () => agents.list().map(({ id, user }) => ({ id, name: '', color: '', ...user.agent }));

  agents.onChanged = () => {
    for (const viewer of roster.viewers()) viewer.send({ type: 'agents', agents: named() });
  };
  agents.onHandoff = (state) => {
    showAll();
    onHandoff(state);
  };

  const forBackends = { access: forAdmins, cost: WORK };
  calls.add('handoffs.request', { ...forBackends, check: requestOf }, ([request], { program }) => {
    if (program?.automates) {
      // A hand-off stops other programs, and people trust its name. So a program needs the role, and cannot
      // choose the name.
      const { name = standardName, roles = standardRoles, tokenId } = program;
      if (!agents.mayAsk(roles, tokenId)) throw needsControl();
      return agents.requestPerson({ ...request, name });
    }
    // The agent that sends the request has the name of its token, also before it joins.
    const own = request.agent === undefined && program?.name !== undefined && { name: program.name };
    return agents.requestPerson({ ...own, ...request }, standardName);
  });
  calls.add('handoffs.get', { access: forAdmins, cost: WAIT, check: waitOf }, ([id, wait = 0], { leaving }) =>
    agents.handoffs.wait(id, wait * 1_000, leaving),
  );
  calls.add('handoffs.withdraw', { ...forBackends, check: handoffIdOf }, ([id]) =>
    agents.handoffs.withdraw(id),
  );
  calls.add(
    'finishHandoff',
    { access: forRole('control'), cost: WORK, check: answerOf },
    ([id, answer, note = ''], caller) => {
      const { userId } = viewerOf(caller);
      agents.handoffs.finish(id, answer, note, userId);
    },
  );

  return {
    viewerJoined: (viewer) => {
      if (agents.list().length > 0) viewer.send({ type: 'agents', agents: named() });
      show(viewer, agents.handoffs.open());
    },
    rightsChanged: showAll,
  };
};

import { CallError } from '../../room/calls/call-error.js';
import { canUse } from '../../room/users/can-use.js';
import type { ComputerAgent } from './computer-agent.js';
import type { TargetNodes } from './computer-actions.js';
import type { PageReading } from './page-reading.js';

/** Finds and uses nodes of the accessibility tree for an agent. */
export function targetNodes(agent: ComputerAgent, reading: PageReading): TargetNodes {
  const perform = async (node: number, act: 'click' | 'set', value?: string): Promise<void> => {
    const { accessibilityActions } = await readable(agent, reading);
    agent.acted();
    const outcome = await agent.perform(async () => {
      const actor = {
        input: agent.input,
        mayWrite: canUse(agent, 'field_masking'),
        onPress: () => undefined,
      };
      return accessibilityActions.perform(actor, node, act, value);
    });
    if (outcome === 'gone') throw nodeGone(node);
    if (outcome === 'refused')
      throw new CallError(
        'err_forbidden',
        'This action is not available on the node, or the node is masked and you lack the role field_masking.',
      );
  };
  return {
    placeOf: async (node) => {
      const { accessibilityActions } = await readable(agent, reading);
      const place = await agent.perform(() => accessibilityActions.place(node));
      if (place === 'gone') throw nodeGone(node);
      return place === 'hidden' ? undefined : place;
    },
    click: (node) => perform(node, 'click'),
    set: (node, value) => perform(node, 'set', value),
  };
}

function readable(agent: ComputerAgent, reading: PageReading): ReturnType<PageReading['nodes']> {
  if (!agent.canRead)
    throw new CallError('err_forbidden', 'Another user is in privacy mode. Try again when it ends.');
  return reading.nodes();
}

function nodeGone(node: number): CallError {
  const message = `There is no node e${node} any more, or its page does not answer. Call accessibility again.`;
  return new CallError('err_node_gone', message);
}

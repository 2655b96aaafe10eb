import type { InputEvent } from 'cloud-browser/protocol';
import { CallError, nodeGone } from '../../../room/calls/call-error.js';
import { canUse } from '../../../room/users/can-use.js';
import type { ComputerAgent } from '../computer-agent.js';
import type { TargetNodes } from '../computer-actions.js';
import type { PageReading } from './page-reading.js';

/** Maximum number of attempts to find a node whose page answers late. */
const ATTEMPTS = 3;

/**
 * Roles of nodes that take no text from the keyboard. Some have a value that can be set. The others have a
 * state, which the click before the text would change, so their refusal names the action that is right.
 */
const VALUES: ReadonlySet<string> = new Set([
  ...['slider', 'Date', 'DateTime', 'InputTime', 'ColorWell'],
  ...['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'],
]);

/** Error messages for a node that does not accept an action. */
const REFUSALS = {
  click: 'The node cannot be clicked, or it is masked and you lack the role field_masking.',
  set: 'The node does not accept this value, or it is masked and you lack the role field_masking. For a list, name an option as the text shows it. A date has the form 2026-12-31, a month 2026-12, a week 2026-W05, a time 23:45, a date with time 2026-12-31T23:45, a number 1234.5, a colour #ff8000. For a checkbox or a button, use click.',
} as const;

/**
 * Finds and uses nodes of the accessibility tree for an agent.
 *
 * @param checkSees throws `CallError` if the agent may not see the browser
 * @param leaving signals that the client of the call has gone
 */
export function targetNodes(
  agent: ComputerAgent,
  reading: PageReading,
  checkSees: () => void,
  leaving?: AbortSignal,
): TargetNodes {
  const readable = (): ReturnType<PageReading['nodes']> => {
    checkSees();
    return reading.nodes();
  };
  const perform = async (node: number, act: 'click' | 'set', value?: string): Promise<void> => {
    const { accessibilityActions } = await readable();
    agent.acted();
    const outcome = await agent.perform(async () => {
      const actor = {
        input: agent.input,
        mayWrite: canUse(agent, 'field_masking'),
        onPress: (event: InputEvent) => agent.performs({ event }),
        onScript: (element: 'click' | 'set') => agent.performs({ element }),
      };
      return accessibilityActions.perform(actor, node, act, value);
    }, leaving);
    if (outcome === 'gone') throw nodeGone(node);
    if (outcome === 'refused') throw new CallError('err_forbidden', REFUSALS[act]);
  };
  return {
    placeOf: async (node, scrolls) => {
      const { accessibility, accessibilityActions } = await readable();
      for (let attempt = 1; ; attempt++) {
        const place = await agent.perform(() => accessibilityActions.place(node, scrolls), leaving);
        if (place === 'hidden') return undefined;
        if (place !== 'gone') return place;
        // If the node is still in the tree, its page may be busy and answer late. So another attempt may
        // succeed.
        if (attempt === ATTEMPTS || !accessibility.tree?.node(node)) throw nodeGone(node);
      }
    },
    holdsValue: async (node) => {
      const { accessibility } = await readable();
      const known = accessibility.tree?.node(node);
      return known !== undefined && VALUES.has(known.facts.role);
    },
    click: (node) => perform(node, 'click'),
    set: (node, value) => perform(node, 'set', value),
  };
}

import type { CdpSession } from '../../cdp/cdp-session.js';
import { READ_TIMEOUT_MS } from './read-answers.js';
import { cut, type ReadNode } from './read-node.js';
import { MAX_TEXT } from '../tree-limits.js';

/** Knows which fields are masked, see `FocusWatch`. */
export interface Masks {
  isMaskedField(session: CdpSession, frameId: string, node: number): Promise<boolean>;
}

/** Roles of nodes that may have a value, even if the browser does not report them as editable. */
const VALUED: ReadonlySet<string> = new Set([
  ...['checkbox', 'radio', 'switch', 'slider', 'spinbutton', 'combobox', 'listbox', 'option', 'meter'],
  ...['ComboBoxSelect', 'ComboBoxMenuButton', 'TextFieldWithComboBox', 'Date', 'DateTime', 'InputTime'],
  ...['ColorWell', 'textbox', 'searchbox', 'ListBoxOption', 'MenuListOption', 'progressbar'],
]);
/** Roles whose inner nodes the browser creates itself. The node's value contains all of their texts. */
const WHOLE: ReadonlySet<string> = new Set(['Date', 'DateTime', 'InputTime', 'ColorWell', 'spinbutton']);

/** True if a node may have content that is masked. */
export function isField({ facts }: ReadNode): boolean {
  return facts.editable !== undefined || facts.value !== undefined || VALUED.has(facts.role);
}

/** True if the value of a field contains everything inside it. */
export function isWhole({ facts }: ReadNode): boolean {
  return facts.editable === 'line' || facts.editable === 'lines' || WHOLE.has(facts.role);
}

/**
 * Adds properties that only the DOM element of a field has: its placeholder, and whether it is a password
 * field. Removes the value of a password. Rejects with `CdpError`.
 *
 * @param frameId the frame that contains the field
 * @returns `secret`: true if only users who may write into masked fields may read the field's content
 */
export async function readField(
  session: CdpSession,
  read: ReadNode,
  frameId: string | undefined,
  masks: Masks | undefined,
): Promise<{ secret: boolean }> {
  const { key, facts } = read;
  const masked = masks
    ? frameId === undefined || masks.isMaskedField(session, frameId, key).catch(() => true)
    : false;
  if (facts.editable === 'line') {
    const { node } = await session.send('DOM.describeNode', { backendNodeId: key }, READ_TIMEOUT_MS);
    const attributes = attributesOf(node.attributes);
    const placeholder = cut(attributes.get('placeholder') ?? '', MAX_TEXT);
    if (placeholder) facts.placeholder = placeholder;
    if (attributes.get('type')?.toLowerCase() === 'password') facts.password = true;
  }
  // Text that the page itself hides by dots also counts as a password.
  if (facts.password || /^[•●▪■]+$/u.test(facts.value ?? '')) {
    facts.password = true;
    delete facts.value;
    delete facts.valueText;
  }
  return { secret: await masked };
}

/** Reads attributes. CDP returns a list of alternating names and values. */
function attributesOf(list: readonly string[] = []): Map<string, string> {
  const pairs = new Map<string, string>();
  for (let index = 0; index + 1 < list.length; index += 2)
    pairs.set(list[index] ?? '', list[index + 1] ?? '');
  return pairs;
}

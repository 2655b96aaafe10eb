import type { AccessibleNode } from 'cloud-browser/protocol';

/** Maximum length of the text, in characters. Such a text fits into the context of a language model. */
const MAX_CHARS = 120_000;

/**
 * Roles of nodes that only group other nodes. If such a node has no name, the text shows only its children.
 */
const GROUPS: ReadonlySet<string> = new Set([
  ...[
    'generic',
    'none',
    'presentation',
    'GenericContainer',
    'InlineTextBox',
    'LayoutTable',
    'LayoutTableRow',
  ],
  ...['LayoutTableCell', 'group', 'Section', 'Pre', 'LineBreak', 'paragraph', 'LabelText'],
]);
/** Roles whose name is a text of the page. */
const TEXTS: ReadonlySet<string> = new Set(['StaticText', 'text', 'InlineTextBox']);

/** States that are shown by their name if they are true. */
const FLAGS = ['disabled', 'required', 'readonly', 'selected', 'invalid', 'modal', 'busy'] as const;
/** States that are shown with their value. */
const VALUES = ['checked', 'pressed', 'expanded', 'level', 'hasPopup'] as const;

/** Text of an accessibility tree. `whole` is true if the text contains all nodes. */
export interface TreeText {
  text: string;
  whole: boolean;
}

/**
 * Returns an accessibility tree as text, in a form like Playwright's ARIA snapshot. Each element in the text
 * has a reference, for example `[ref=e12]`. Plain text has none.
 *
 * @param node returns a node without the content that the reader may not see
 * @param focus the focused node
 */
export function textOfTree(
  root: number,
  node: (id: number) => AccessibleNode | undefined,
  focus: number | undefined,
): TreeText {
  const lines: string[] = [];
  let chars = 0;
  let whole = true;
  const write = (depth: number, line: string): void => {
    chars += line.length + 2 * depth + 3;
    if (chars > MAX_CHARS) whole = false;
    else lines.push(`${'  '.repeat(depth)}- ${line}`);
  };
  const walk = (id: number, depth: number, around: string): void => {
    const told = whole ? node(id) : undefined;
    if (!told) return;
    const name = clean(told.name);
    if (TEXTS.has(told.role)) {
      // The name of a link or a button often equals the text inside. Such a text is not written again.
      if (name !== '' && name !== around) write(depth, `text: ${quoted(name)}`);
      return;
    }
    const isGroup = GROUPS.has(told.role) && name === '' && !told.focusable;
    if (isGroup || told.role === 'RootWebArea') {
      for (const child of told.children) walk(child, depth, around);
      return;
    }
    write(depth, lineOf(told, name, id === focus));
    for (const child of told.children) walk(child, depth + 1, name || around);
  };
  walk(root, 0, '');
  return { text: lines.join('\n'), whole };
}

function lineOf(told: AccessibleNode, name: string, focused: boolean): string {
  const states: string[] = [];
  for (const flag of FLAGS) if (told[flag]) states.push(flag);
  for (const key of VALUES) {
    const value = told[key];
    if (value !== undefined && value !== false && value !== 'false')
      states.push(value === true || value === 'true' ? key : `${key}=${value}`);
  }
  if (told.expanded === false) states.push('expanded=false');
  if (focused) states.push('active');
  states.push(`ref=e${told.id}`);
  const value = clean(told.valueText ?? told.value);
  const hint = clean(told.placeholder);
  const parts = [
    roleOf(told),
    ...(name === '' ? [] : [JSON.stringify(name)]),
    ...states.map((state) => `[${state}]`),
    ...(hint === '' || hint === name ? [] : [`[placeholder=${JSON.stringify(hint)}]`]),
  ].join(' ');
  return value === '' ? parts : `${parts}: ${quoted(value)}`;
}

/** Returns the role of a node. Replaces Chromium's own roles by ARIA roles. */
function roleOf({ role, editable }: AccessibleNode): string {
  if (role === 'Iframe' || role === 'IframePresentational') return 'iframe';
  if (editable !== undefined && role !== 'combobox' && role !== 'searchbox' && role !== 'spinbutton')
    return 'textbox';
  return role;
}

function clean(text: string | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim();
}

/** Returns a text for a line. Quotes the text if a reader could take it for another part of the line. */
function quoted(text: string): string {
  return /^[\w\p{L}][^"[\]]*$/u.test(text) ? text : JSON.stringify(text);
}

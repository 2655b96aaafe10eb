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
  ...['Legend', 'MenuListPopup'],
]);
/** Role of the bullet or the number of an item of a list. */
const MARKER = 'ListMarker';
/** Roles whose name is a text of the page. */
const TEXTS: ReadonlySet<string> = new Set(['StaticText', 'text', 'InlineTextBox', MARKER]);

/** Roles of nodes whose name is often the text of the nodes inside. */
const AROUND: ReadonlySet<string> = new Set([
  'row',
  'cell',
  'gridcell',
  'columnheader',
  'rowheader',
  'heading',
]);

/** States that are shown by their name if they are true. */
const FLAGS = ['disabled', 'required', 'readonly', 'selected', 'invalid', 'modal', 'busy'] as const;
/** States that are shown with their value. */
const VALUES = ['checked', 'pressed', 'expanded', 'level', 'hasPopup'] as const;

/** A node of the text. */
export interface TextNode extends AccessibleNode {
  /** True if the node itself reacts to clicks, although its role does not say so. */
  clickable?: boolean;
  /** Address of a link, if the text has the addresses. */
  url?: string;
}

/** Parts of the page's text that a program chooses. */
export interface TextChoice {
  /** The text starts after the line of this node. */
  after?: number | undefined;
  /** True if the text has the addresses of links. */
  links?: boolean;
}

/** Text of an accessibility tree. `whole` is true if the text contains all nodes after the start. */
export interface TreeText {
  text: string;
  whole: boolean;
  /** Node after which the next text can start. Undefined if the text is whole or has no node. */
  last: number | undefined;
}

/**
 * Returns an accessibility tree as text, in a form like Playwright's ARIA snapshot. Each element in the text
 * has a reference, for example `[ref=e12]`. Plain text has none.
 *
 * @param node returns a node without the content that the reader may not see
 * @param focus the focused node
 * @param after node after whose line the text starts. Without it, the text starts at the root. If no line
 *   has this node, the result is undefined
 */
export function textOfTree(
  root: number,
  node: (id: number) => TextNode | undefined,
  focus: number | undefined,
  after?: number,
): TreeText | undefined {
  const lines: string[] = [];
  let chars = 0;
  let whole = true;
  let started = after === undefined;
  let last: number | undefined;
  const write = (depth: number, line: string, id?: number): void => {
    if (!started) {
      started = id !== undefined && id === after;
      return;
    }
    chars += line.length + 2 * depth + 3;
    if (chars > MAX_CHARS) whole = false;
    else {
      lines.push(`${'  '.repeat(depth)}- ${line}`);
      last = id ?? last;
    }
  };
  const walk = (id: number, depth: number, around: string): void => {
    const told = whole ? node(id) : undefined;
    if (!told) return;
    const name = nameOf(told);
    if (TEXTS.has(told.role)) {
      // The name of a link or a button often equals the text inside. Such a text is not written again.
      if (name !== '' && name !== around) write(depth, `text: ${quoted(name)}`);
      return;
    }
    const isGroup = GROUPS.has(told.role) && name === '' && !told.focusable;
    const content = isGroup && told.clickable ? contentOf(told, node) : undefined;
    if (content && !content.first) {
      // Its text is its name, and is not written again.
      write(depth, lineOf(told, content.text, id === focus), id);
      return;
    }
    // An element that only surrounds a button needs no reference beside that of the button.
    if ((isGroup && !(content && !content.surrounds)) || told.role === 'RootWebArea') {
      for (const child of told.children) walk(child, depth, around);
      return;
    }
    const repeated = AROUND.has(told.role) && repeats(name, told, node);
    write(depth, lineOf(told, repeated ? '' : name, id === focus), id);
    // The text inside an editor is its value.
    const own = told.editable === undefined ? name : clean(told.value);
    for (const child of told.children) walk(child, depth + 1, repeated ? around : own || around);
  };
  walk(root, 0, '');
  return started ? { text: lines.join('\n'), whole, last: chars > MAX_CHARS ? last : undefined } : undefined;
}

/** Content of a clickable element that has neither a role nor a name. */
interface Content {
  text: string;
  /** The first element inside that has a line of its own. */
  first: TextNode | undefined;
  /** True if that element can be used itself, and there is nothing else. */
  surrounds: boolean;
}

function contentOf({ children }: TextNode, node: (id: number) => TextNode | undefined): Content {
  const texts: string[] = [];
  const elements: TextNode[] = [];
  const collect = (ids: readonly number[]): void => {
    for (const id of ids) {
      const told = node(id);
      if (!told) continue;
      const name = nameOf(told);
      if (TEXTS.has(told.role)) texts.push(...(name === '' ? [] : [name]));
      else if (GROUPS.has(told.role) && name === '' && !told.focusable && !told.clickable)
        collect(told.children);
      else elements.push(told);
      if (elements.length > 1) return;
    }
  };
  collect(children);
  const [first] = elements;
  const alone = texts.length === 0 && elements.length === 1;
  const surrounds = alone && (first?.focusable === true || first?.clickable === true);
  return { text: texts.join(' '), first, surrounds };
}

/** True if a name contains only the names of elements inside, and the texts between them. */
function repeats(name: string, told: TextNode, node: (id: number) => TextNode | undefined): boolean {
  let elements = 0;
  let said = '';
  const collect = (ids: readonly number[]): void => {
    for (const id of ids) {
      const inside = node(id);
      if (!inside || said.length > name.length) continue;
      const isText = TEXTS.has(inside.role);
      if (!isText && GROUPS.has(inside.role) && clean(inside.name) === '') collect(inside.children);
      else {
        said += nameOf(inside);
        if (!isText) elements++;
      }
    }
  };
  collect(told.children);
  const plain = (text: string) => text.replace(/ /g, '');
  return elements > 0 && name !== '' && plain(said) === plain(name);
}

function lineOf(told: TextNode, name: string, focused: boolean): string {
  const states: string[] = [];
  for (const flag of FLAGS) if (told[flag]) states.push(flag);
  for (const key of VALUES) {
    // Chromium gives each item of a list the level of the list.
    const value = key === 'level' && told.role === 'listitem' ? undefined : told[key];
    if (value !== undefined && value !== false && value !== 'false')
      states.push(value === true || value === 'true' ? key : `${key}=${value}`);
  }
  if (told.expanded === false) states.push('expanded=false');
  if (focused) states.push('active');
  if (told.clickable && !GROUPS.has(told.role)) states.push('clickable');
  states.push(`ref=e${told.id}`);
  const value = clean(told.valueText ?? told.value);
  const hint = clean(told.placeholder);
  const parts = [
    roleOf(told),
    ...(name === '' ? [] : [JSON.stringify(name)]),
    ...states.map((state) => `[${state}]`),
    ...(hint === '' || hint === name ? [] : [`[placeholder=${JSON.stringify(hint)}]`]),
    ...(told.url === undefined ? [] : [`[url=${JSON.stringify(told.url)}]`]),
  ].join(' ');
  return value === '' ? parts : `${parts}: ${quoted(value)}`;
}

/**
 * Returns the role of a node. Replaces Chromium's own roles by ARIA roles. A clickable element without a role
 * is `clickable`.
 */
function roleOf({ role, editable, clickable }: TextNode): string {
  if (clickable && GROUPS.has(role)) return 'clickable';
  if (role === 'Iframe' || role === 'IframePresentational') return 'iframe';
  if (editable !== undefined && role !== 'combobox' && role !== 'searchbox' && role !== 'spinbutton')
    return 'textbox';
  return role;
}

/** Returns the name of a node. A bullet has none, because it tells a reader no more than the list. */
function nameOf({ role, name }: TextNode): string {
  const text = clean(name);
  return role === MARKER && !/[\p{L}\p{N}]/u.test(text) ? '' : text;
}

function clean(text: string | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim();
}

/** Returns a text for a line. Quotes the text if a reader could take it for another part of the line. */
function quoted(text: string): string {
  return /^[\w\p{L}][^"[\]]*$/u.test(text) ? text : JSON.stringify(text);
}

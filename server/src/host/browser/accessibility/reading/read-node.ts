import type { AccessibleNode } from 'cloud-browser/protocol';
import type { Protocol } from 'devtools-protocol';
import { MAX_NODES, MAX_TEXT, MAX_TOKEN, MAX_VALUE } from '../tree-limits.js';

type AxNode = Protocol.Accessibility.AXNode;

/**
 * Properties of a node that viewers receive, without `id`, `children` and `active`, which refer to nodes of
 * the tree. Viewers do not receive `url`.
 */
export type NodeFacts = Omit<AccessibleNode, 'id' | 'children' | 'active'> & {
  /** Address of a link. */
  url?: string;
};

/** A node as the browser describes it. An ignored node is in the tree only because of its children. */
export interface ReadNode {
  /** The node's number in the browser, unique within its process. */
  key: number;
  /** Key of the parent, if the browser sends it. */
  parent: number | undefined;
  ignored: boolean;
  facts: NodeFacts;
  /** Keys of the children, except nodes for single lines of a text. */
  inside: number[];
  /** True if the document or the element has the focus. */
  focused: boolean;
  /** Key of the inner element that is active while this element has the focus (`aria-activedescendant`). */
  active: number | undefined;
}

/** Roles whose children are the lines of their text. */
const TEXTS: ReadonlySet<string> = new Set(['StaticText', 'LineBreak', 'ListMarker']);

/**
 * Reads a node. Returns undefined for a line of a text. Also returns undefined for a node without a number,
 * because the host cannot request it.
 */
export function readNode(node: AxNode): ReadNode | undefined {
  if (node.role?.value === 'InlineTextBox') return undefined;
  const key = node.backendDOMNodeId ?? Number(node.nodeId);
  if (!Number.isSafeInteger(key)) return undefined;
  const properties = new Map<string, Protocol.Accessibility.AXValue>(
    node.properties?.map(({ name, value }) => [name, value]),
  );
  const of = (name: string): unknown => properties.get(name)?.value;
  return {
    key,
    parent: node.parentId === undefined ? undefined : Number(node.parentId),
    ignored: node.ignored,
    facts: factsOf(node, of),
    inside: TEXTS.has(String(node.role?.value)) ? [] : insideOf(node),
    focused: of('focused') === true,
    active: properties.get('activedescendant')?.relatedNodes?.[0]?.backendDOMNodeId,
  };
}

/** Returns the number of characters of a node's texts before truncation. */
export function weightOf({ name, description, value, properties = [] }: AxNode): number {
  let weight = 0;
  for (const said of [name, description, value, ...properties.map((property) => property.value)])
    if (typeof said?.value === 'string') weight += said.value.length;
  return weight;
}

/** Returns the number of characters of a node's texts as they are stored. */
export function sizeOf(facts: NodeFacts): number {
  let size = 0;
  for (const said of Object.values(facts)) if (typeof said === 'string') size += said.length;
  return size;
}

/** Removes all texts of a node that have 20 or more characters, except the role. */
export function withoutTexts(facts: NodeFacts): NodeFacts {
  const short = Object.entries(facts).filter(([, said]) => typeof said !== 'string' || said.length < 20);
  return { ...(Object.fromEntries(short) as Partial<NodeFacts>), role: facts.role };
}

/** Returns the children up to the limit: a page can have an element with millions of children. */
function insideOf({ childIds = [] }: AxNode): number[] {
  return childIds.slice(0, MAX_NODES).map(Number);
}

function factsOf(node: AxNode, of: (name: string) => unknown): NodeFacts {
  const said = (field: Protocol.Accessibility.AXValue | undefined): unknown => field?.value;
  const [name, description, value] = [said(node.name), said(node.description), said(node.value)];
  const editable = editableOf(of);
  return without({
    role: text(node.role?.value, MAX_TOKEN) ?? 'generic',
    name: text(name, MAX_TEXT),
    description: text(description, MAX_TEXT),
    value: typeof value === 'number' ? String(value) : text(value, MAX_VALUE),
    focusable: of('focusable') === true || undefined,
    editable,
    disabled: of('disabled') === true || undefined,
    // Chromium also sets `readonly` for every table cell, where it has no meaning.
    readonly: (editable !== undefined && of('readonly') === true) || undefined,
    required: of('required') === true || undefined,
    invalid: (of('invalid') !== undefined && String(of('invalid')) !== 'false') || undefined,
    checked: threeOf(of('checked')),
    pressed: threeOf(of('pressed')),
    expanded: booleanOf(of('expanded')),
    selected: booleanOf(of('selected')),
    multiselectable: of('multiselectable') === true || undefined,
    modal: of('modal') === true || undefined,
    busy: of('busy') === true || undefined,
    level: numberOf(of('level')),
    hasPopup: text(of('hasPopup'), MAX_TOKEN),
    orientation: text(of('orientation'), MAX_TOKEN),
    autocomplete: text(of('autocomplete'), MAX_TOKEN),
    roleDescription: text(of('roledescription'), MAX_TOKEN),
    keyShortcuts: text(of('keyshortcuts'), MAX_TOKEN),
    valueMin: numberOf(of('valuemin')),
    valueMax: numberOf(of('valuemax')),
    valueText: text(of('valuetext'), MAX_TEXT),
    live: liveOf(of('live')),
    url: node.role?.value === 'link' ? text(of('url'), MAX_TEXT) : undefined,
    atomic: of('atomic') === true || undefined,
  });
}

function editableOf(of: (name: string) => unknown): NodeFacts['editable'] {
  const editable = of('editable');
  if (editable === 'plaintext') return of('multiline') === true ? 'lines' : 'line';
  return editable === 'richtext' ? 'rich' : undefined;
}

function text(value: unknown, most: number): string | undefined {
  return typeof value === 'string' && value !== '' ? cut(value, most) : undefined;
}

/** Returns the beginning of a text as a copy. A substring would keep the whole text in memory. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le');
}

function threeOf(value: unknown): 'true' | 'false' | 'mixed' | undefined {
  return value === 'true' || value === 'false' || value === 'mixed' ? value : undefined;
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function liveOf(value: unknown): NodeFacts['live'] {
  return value === 'polite' || value === 'assertive' ? value : undefined;
}

/** Removes undefined fields. They would cost bytes in messages and make comparisons fail. */
function without(
  facts: { [Name in keyof NodeFacts]: NodeFacts[Name] | undefined } & { role: string },
): NodeFacts {
  const said = Object.entries(facts).filter(([, value]) => value !== undefined);
  return { role: facts.role, ...(Object.fromEntries(said) as Partial<NodeFacts>) };
}

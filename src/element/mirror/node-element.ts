import type { AccessibleNode } from '../../protocol/index.js';
import { roleOf, takesName } from './roles.js';

/** The local element or text for a node of the remote accessibility tree. */
export type NodeElement = HTMLElement | Text;

const FIELDS: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'spinbutton', 'combobox']);

/** Returns true if a node is a drop-down list like `<select>`. */
export function isList({ role, editable }: AccessibleNode, inside: readonly AccessibleNode[]): boolean {
  return (
    role === 'combobox' && editable === undefined && inside.some((child) => child.role === 'MenuListPopup')
  );
}

/**
 * Returns the tag of the local element for a node, for some inputs with their type: `input checkbox`. `#text`
 * means a text node. If the tag of a node changes, the node needs a new element.
 */
export function tagOf(node: AccessibleNode, inside: readonly AccessibleNode[]): string {
  const role = roleOf(node.role);
  if (['StaticText', 'LineBreak', 'ListMarker'].includes(node.role)) return '#text';
  if (isList(node, inside)) return 'select';
  if (role === 'option' && !node.focusable) return 'div';
  if (node.editable === 'lines') return 'textarea';
  if (node.editable === 'line' || (role !== undefined && FIELDS.has(role) && role !== 'combobox'))
    return 'input';
  if (role === 'checkbox' || role === 'radio') return `input ${role}`;
  if (role === 'slider') return 'input range';
  if (node.role === 'Figcaption') return 'figcaption';
  if (role === 'button') return 'button';
  if (role === 'link') return 'a';
  if (role === 'heading') return `h${Math.min(6, Math.max(1, node.level ?? 2))}`;
  return 'div';
}

/** Creates the element of a node without its content. */
export function makeElement(tag: string): NodeElement {
  if (tag === '#text') return document.createTextNode('');
  const [name = 'div', type] = tag.split(' ');
  const element = document.createElement(name);
  if (element instanceof HTMLInputElement && type) element.type = type;
  if (element instanceof HTMLButtonElement) element.type = 'button';
  return element;
}

/** Conditions that are not part of the node's own data. */
interface Circumstances {
  /** True if the user is typing into the node. */
  inOwn: boolean;
  /** True if the node is inside a live region of another node. */
  inLive: boolean;
}

/** Writes the data of a node to its element. Never writes HTML, because the data is untrusted. */
export function describe(element: NodeElement, node: AccessibleNode, { inOwn, inLive }: Circumstances): void {
  if (element instanceof Text) {
    const text = node.role === 'LineBreak' ? '\n' : (node.name ?? '');
    if (element.data !== text) element.data = text;
    return;
  }
  const role = roleOf(node.role);
  const native = !(element instanceof HTMLDivElement) && !(element instanceof HTMLAnchorElement);
  const keepsRole =
    native && !(element instanceof HTMLInputElement && role === 'combobox') && role !== 'spinbutton';
  const set = (name: string, value: string | number | boolean | undefined): void => {
    if (value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  };
  set('id', `node-${node.id}`);
  set('role', keepsRole ? undefined : role);
  set('aria-label', takesName(role) ? node.name : undefined);
  set('aria-description', node.description);
  set('aria-roledescription', role ? node.roleDescription : undefined);
  set('aria-keyshortcuts', node.keyShortcuts);
  set('aria-expanded', element instanceof HTMLSelectElement ? undefined : node.expanded);
  set('aria-haspopup', element instanceof HTMLSelectElement ? undefined : node.hasPopup);
  set('aria-pressed', node.pressed);
  set('aria-selected', element instanceof HTMLOptionElement ? undefined : node.selected);
  set('aria-multiselectable', node.multiselectable);
  set('aria-modal', node.modal);
  set('aria-busy', node.busy);
  set('aria-invalid', node.invalid);
  set('aria-required', native ? undefined : node.required);
  set('aria-level', native || node.role === 'listitem' ? undefined : node.level);
  set('aria-orientation', native ? undefined : role === undefined ? undefined : node.orientation);
  // Live regions of an untrusted page are at most `polite`. Only the outermost region is live, so nothing is
  // announced twice.
  set('aria-live', node.live && !inLive ? 'polite' : undefined);
  set('aria-atomic', node.atomic);
  set('aria-activedescendant', node.active === undefined ? undefined : `node-${node.active}`);
  const ranged =
    role !== undefined && ['progressbar', 'meter', 'scrollbar', 'separator', 'spinbutton'].includes(role);
  set('aria-valuenow', ranged && node.value !== undefined ? Number(node.value) || 0 : undefined);
  set('aria-valuemin', ranged ? node.valueMin : undefined);
  set('aria-valuemax', ranged ? node.valueMax : undefined);
  set('aria-valuetext', ranged ? node.valueText : undefined);
  set('aria-checked', native ? undefined : node.checked);
  set('aria-disabled', native ? undefined : node.disabled);
  const stops = node.focusable === true && !node.disabled;
  if (native) set('tabindex', undefined);
  else set('tabindex', stops && node.role !== 'RootWebArea' ? 0 : undefined);
  describeField(element, node, inOwn);
}

function describeField(element: HTMLElement, node: AccessibleNode, inOwn: boolean): void {
  if (element instanceof HTMLButtonElement || element instanceof HTMLOptionElement)
    element.disabled = node.disabled === true;
  if (element instanceof HTMLOptionElement) {
    element.label = node.name ?? '';
    element.selected = node.selected === true;
  }
  if (element instanceof HTMLSelectElement) element.disabled = node.disabled === true;
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return;
  element.disabled = node.disabled === true;
  element.required = node.required === true;
  element.readOnly = node.readonly === true;
  element.placeholder = node.placeholder ?? '';
  element.autocomplete = 'off';
  if (element instanceof HTMLInputElement) {
    if (element.type === 'checkbox' || element.type === 'radio') {
      element.checked = node.checked === 'true';
      element.indeterminate = node.checked === 'mixed';
      return;
    }
    if (element.type === 'range') {
      element.min = String(node.valueMin ?? 0);
      element.max = String(node.valueMax ?? 100);
      element.step = 'any';
    } else element.type = node.password ? 'password' : node.role === 'searchbox' ? 'search' : 'text';
  }
  // The session reports typed text late. Writing it back would remove newer input.
  if (!inOwn && !node.password && element.value !== (node.value ?? '')) element.value = node.value ?? '';
}

/** Function in a page that returns the role and the name of the element at a place. */
const ELEMENT_AT = `((x, y) => {
  if (x < 0 || y < 0) return null;
  const MAX_NODES = 300, MAX_CHARS = 120;
  const BY_TAG = {
    button: 'button', summary: 'button', textarea: 'textbox', option: 'option', img: 'img', svg: 'img',
    video: 'video', audio: 'audio', canvas: 'canvas', h1: 'heading', h2: 'heading', h3: 'heading',
    h4: 'heading', h5: 'heading', h6: 'heading', td: 'cell', th: 'columnheader', li: 'listitem',
    p: 'paragraph', dialog: 'dialog', form: 'form', nav: 'navigation', table: 'table', ul: 'list', ol: 'list',
    iframe: 'iframe', article: 'article', main: 'main', label: 'label',
  };
  const BY_TYPE = {
    checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', search: 'searchbox',
    button: 'button', submit: 'button', reset: 'button', image: 'button', color: 'button', file: 'button',
  };
  const CONTROLS = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'option', 'menuitem',
    'menuitemcheckbox', 'menuitemradio', 'treeitem', 'textbox', 'searchbox', 'combobox', 'listbox', 'slider',
    'spinbutton', 'scrollbar', 'gridcell']);
  const FROM_CONTENT = new Set(['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'option', 'menuitem',
    'menuitemcheckbox', 'menuitemradio', 'treeitem', 'gridcell', 'heading', 'cell', 'columnheader', 'rowheader',
    'tooltip']);
  const FIELDS = 'input, textarea, select';
  const SECRET = 'input[type=password i], [autocomplete*=password i], [autocomplete*=one-time-code i], ' +
    '[autocomplete*=cc- i]';
  const parentOf = (node) => node.parentElement ?? node.getRootNode().host ?? null;
  const isSecret = (field) => field.matches(SECRET) ||
    !['none', ''].includes(getComputedStyle(field).webkitTextSecurity ?? '');
  const roleOf = (element) => {
    const [said = ''] = (element.getAttribute('role') ?? '').trim().toLowerCase().split(/\\s+/);
    if (/^[a-z]{3,30}$/.test(said) && !['none', 'presentation', 'generic'].includes(said)) return said;
    const tag = element.localName;
    if (tag === 'a' || tag === 'area') return element.hasAttribute('href') ? 'link' : undefined;
    if (tag === 'input') return element.list ? 'combobox' : (BY_TYPE[element.type] ?? 'textbox');
    if (tag === 'select') return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
    return Object.hasOwn(BY_TAG, tag) ? BY_TAG[tag] : undefined;
  };
  const plain = (text) => (text ?? '').replace(/\\s+/g, ' ').trim().slice(0, MAX_CHARS);
  const contentOf = (root) => {
    const parts = [];
    let [nodes, chars] = [0, 0];
    const add = (text) => { parts.push(text); chars += text.length; };
    const visit = (node) => {
      if (++nodes > MAX_NODES || chars > MAX_CHARS) return;
      if (node.nodeType === 3) return add(node.data.slice(0, MAX_CHARS));
      if (node.nodeType !== 1) return;
      if (node.matches(FIELDS + ', script, style, template, noscript, [hidden], [aria-hidden=true]')) return;
      if (node.isContentEditable || ['textbox', 'searchbox', 'combobox'].includes(roleOf(node))) return;
      const own = node.getAttribute('aria-label') || (node.localName === 'img' ? node.alt : '');
      if (own && node !== root) return add(' ' + own + ' ');
      for (const child of (node.shadowRoot ?? node).childNodes) visit(child);
      add(' ');
    };
    visit(root);
    return plain(parts.join(''));
  };
  const nameOf = (element, role) => {
    const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\\s+/).filter(Boolean).slice(0, 5);
    const named = ids.map((id) => element.getRootNode().getElementById?.(id)).filter(Boolean).map(contentOf);
    const labels = () => [...(element.labels ?? [])].slice(0, 5).map(contentOf).join(' ');
    const isButton = element.localName === 'input' && ['submit', 'reset', 'button'].includes(element.type);
    return plain(named.join(' ')) || plain(element.getAttribute('aria-label')) || plain(labels()) ||
      (isButton && plain(element.getAttribute('value'))) || plain(element.getAttribute('alt')) ||
      (FROM_CONTENT.has(role) && contentOf(element)) || plain(element.getAttribute('title')) ||
      plain(element.getAttribute('placeholder')) || undefined;
  };
  if (window === window.top) {
    x += visualViewport.offsetLeft;
    y += visualViewport.offsetTop;
  }
  let hit = document.elementFromPoint(x, y);
  while (hit?.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  if (!hit) return null;
  if (hit.localName === 'iframe' || hit.localName === 'frame') {
    const [box, style] = [hit.getBoundingClientRect(), getComputedStyle(hit)];
    const scale = hit.offsetWidth > 0 ? box.width / hit.offsetWidth : 1;
    globalThis.clickedFrame = hit;
    const start = (edge, border, padding) => edge + (border + parseFloat(padding)) * scale;
    return { inside: [
      (x - start(box.left, hit.clientLeft, style.paddingLeft)) / scale,
      (y - start(box.top, hit.clientTop, style.paddingTop)) / scale,
    ] };
  }
  const path = [];
  for (let at = hit; at && path.length < 60; at = parentOf(at)) path.push(at);
  const label = path.find((element) => element.localName === 'label' && element.control);
  const withControl = label ? [label.control, ...path] : path;
  if (withControl.some((element) => (element === hit || element.matches(FIELDS)) && isSecret(element))) return null;
  const editable = path.filter((element) => element.isContentEditable).at(-1);
  const control = withControl.find((element) => CONTROLS.has(roleOf(element)));
  const found = editable ?? control ?? path.find((element) => roleOf(element));
  if (!found) return { role: 'generic' };
  const role = editable ? 'textbox' : roleOf(found);
  return { role, name: nameOf(found, role) };
})`;

/**
 * Returns a script that names the element at a place of a frame. The place is in CSS pixels. The result is
 * the role and the name of the control at the place, or of the nearest element with a role. The result is
 * null for elements that must not be named: password fields, fields for codes and cards, and text that is
 * shown as dots. Names never contain the values of fields or editable text. If an inner frame is at the
 * place, the result is the place inside the inner frame.
 */
export function elementAt(x: number, y: number): string {
  return `${ELEMENT_AT}(${x}, ${y})`;
}

/**
 * Returns a script like {@link elementAt} for a place of the screen, in pixels. The script converts the place
 * itself. A separate request for the conversion would delay the answer, and the click may move elements
 * meanwhile.
 *
 * @param ratio pixels of the display for one CSS pixel of a page that is not zoomed
 */
export function elementOnScreen(x: number, y: number, ratio: number): string {
  return `((x, y, ratio) => {
    const scale = devicePixelRatio * visualViewport.scale;
    const top = Math.max(0, (screenY + outerHeight) * ratio - Math.round(innerHeight * devicePixelRatio));
    return ${ELEMENT_AT}((x - screenX * ratio) / scale, (y - top) / scale);
  })(${x}, ${y}, ${ratio})`;
}

import { sendKeys } from '@web/test-runner-commands';
import axe from './axe.js';
import '../../../src/element/define.js';
import type { CloudBrowserElement } from '../../../src/element/cloud-browser.js';
import type { AccessibilityUpdate, AccessibleNode } from '../../../src/protocol/index.js';
import { equal, ok } from '../support/assert.js';
import { nextEvent } from '../support/events.js';
import { MirroredElement } from '../support/mirrored-element.js';

const node = (id: number, role: string, fields: Partial<AccessibleNode> = {}): AccessibleNode => ({
  ...{ id, role, children: [] },
  ...fields,
});

const PAGE = [
  node(1, 'RootWebArea', { name: 'Shop', children: [2, 3, 4, 5, 6, 10] }),
  node(2, 'heading', { name: 'Order', level: 2, children: [20] }),
  node(20, 'StaticText', { name: 'Order' }),
  node(3, 'textbox', { name: 'Name', value: 'Ada', editable: 'line', focusable: true, required: true }),
  node(4, 'checkbox', { name: 'Gift', checked: 'true', focusable: true }),
  node(5, 'button', { name: 'Send', focusable: true, expanded: false, children: [21] }),
  node(21, 'StaticText', { name: 'Send' }),
  node(6, 'table', { name: 'Prices', children: [7] }),
  node(7, 'row', { children: [8, 9] }),
  node(8, 'rowheader', { name: 'Ivy', children: [22] }),
  node(22, 'StaticText', { name: 'Ivy' }),
  node(9, 'cell', { name: '3 €', children: [23] }),
  node(23, 'StaticText', { name: '3 €' }),
  node(10, 'status', { live: 'assertive', atomic: true, children: [24] }),
  node(24, 'StaticText', { name: 'Ready', live: 'assertive' }),
];

describe('the mirror of the remote page', () => {
  let mirrored: MirroredElement;
  let element: CloudBrowserElement;

  beforeEach(async () => {
    mirrored = await MirroredElement.connect();
    ({ element } = mirrored);
    await shown(() => mirror() !== null);
  });

  afterEach(() => mirrored.close());

  const mirror = () => mirrored.mirror;
  const find = (selector: string) => mirror()?.querySelector<HTMLElement>(selector) ?? null;
  const field = (name: string) => mirror()?.querySelector<HTMLInputElement>(`[aria-label=${name}]`) ?? null;
  const frame = () => new Promise(requestAnimationFrame);
  const shown = async (holds: () => boolean) => {
    while (!holds()) await frame();
  };
  const tell = (fields: Partial<AccessibilityUpdate>) => mirrored.tell(fields);
  const fill = async () => {
    await shown(() => find('[role=status]') !== null);
    tell({ reset: true, nodes: PAGE });
    await shown(() => find('#node-24, #node-10')?.textContent === 'Ready');
  };

  it('has roles, names, states and values', async () => {
    await fill();
    const name = field('Name');
    equal([name?.type, name?.value, name?.required], ['text', 'Ada', true]);
    const gift = field('Gift');
    equal([gift?.type, gift?.checked], ['checkbox', true]);
    equal([find('h2')?.textContent, find('button')?.ariaExpanded], ['Order', 'false']);
    tell({ nodes: [node(4, 'checkbox', { name: 'Gift', checked: 'mixed', focusable: true })] });
    await shown(() => gift?.indeterminate === true);
  });

  it('puts nodes that arrive later in the right place', async () => {
    await fill();
    tell({ nodes: [node(1, 'RootWebArea', { name: 'Shop', children: [30, 31, 2] })] });
    await frame();
    tell({ nodes: [node(31, 'link', { name: 'Later', focusable: true, children: [32] })] });
    tell({ nodes: [node(30, 'button', { name: 'Latest' }), node(32, 'StaticText', { name: 'Later' })] });
    await frame();
    await frame();
    equal(
      [...(find('[role=document]')?.children ?? [])].map(({ id }) => id),
      ['node-30', 'node-31', 'node-2'],
    );
    equal(find('#node-31')?.textContent, 'Later');
  });

  it('has tables with cells in rows', async () => {
    await fill();
    const cells = [...(find('[role=table] > [role=row]')?.children ?? [])];
    equal(
      cells.map((cell) => `${cell.role ?? ''} ${cell.textContent}`),
      ['rowheader Ivy', 'cell 3 €'],
    );
  });

  it('announces only the newest message, politely and at most once a second', async () => {
    await fill();
    const status = find('#node-10');
    equal(status?.getAttribute('aria-live'), 'polite');
    const said: string[] = [];
    const watch = new MutationObserver(() => said.push(status?.textContent ?? ''));
    if (status) watch.observe(status, { characterData: true, childList: true, subtree: true });
    for (let count = 1; count <= 20; count++) {
      tell({ nodes: [node(24, 'StaticText', { name: `${count} sent`, live: 'assertive' })] });
      await frame();
    }
    await shown(() => status?.textContent === '20 sent');
    watch.disconnect();
    ok(said.length <= 2, said.join());
  });

  it('follows the remote focus inside it, and takes the focus from no other element', async () => {
    await fill();
    const outside = document.createElement('input');
    document.body.append(outside);
    outside.focus();
    tell({ focus: 5 });
    await frame();
    await frame();
    ok(document.activeElement === outside);
    find('[aria-label=Name]')?.focus();
    tell({ focus: 3 });
    await frame();
    tell({ focus: 5 });
    await shown(() => element.shadowRoot?.activeElement?.id === 'node-5');
    outside.remove();
  });

  it("keeps the user's focus until the remote page has followed", async () => {
    await fill();
    const second = node(30, 'textbox', { name: 'Mail', editable: 'line', focusable: true });
    tell({ nodes: [node(1, 'RootWebArea', { name: 'Shop', children: [3, 30, 5] }), second] });
    await shown(() => field('Mail') !== null);
    field('Name')?.focus();
    field('Mail')?.focus();
    // Arrives late: the page's focus for the previous field.
    tell({ focus: 3 });
    await frame();
    await frame();
    equal(element.shadowRoot?.activeElement?.id, 'node-30');
    // A user who goes back before the page has followed keeps the focus there.
    field('Name')?.focus();
    tell({ focus: 30 });
    await frame();
    await frame();
    equal(element.shadowRoot?.activeElement?.id, 'node-3');
    tell({ focus: 3 });
    await frame();
    tell({ focus: 5 });
    await shown(() => element.shadowRoot?.activeElement?.id === 'node-5');
  });

  it('follows a page that focuses another node than the requested one', async () => {
    await fill();
    field('Name')?.focus();
    mirrored.answerActs();
    tell({ focus: 5 });
    await shown(() => element.shadowRoot?.activeElement?.id === 'node-5');
  });

  it('sends neither typed text nor what waits for it after the element became view-only', async () => {
    await fill();
    const name = field('Name');
    ok(name);
    const type = (value: string) => {
      name.value = value;
      name.dispatchEvent(new InputEvent('input', { bubbles: true }));
    };
    const enter = () => name.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    name.focus();
    type('Bob');
    enter();
    equal(mirrored.acts, ['focus', 'set']);
    element.viewOnly = true;
    await element.updateComplete;
    mirrored.answerActs();
    await frame();
    equal(mirrored.keys, 0);
    element.viewOnly = false;
    await element.updateComplete;
    type('Eve');
    element.viewOnly = true;
    await element.updateComplete;
    name.blur();
    await frame();
    equal(mirrored.acts, ['focus', 'set']);
  });

  it('turns everything from the remote page into text', async () => {
    await fill();
    const markup = '<img src=x onerror="document.title = 1"><b>bold</b>';
    const fields = {
      name: markup,
      description: markup,
      value: markup,
      placeholder: markup,
      roleDescription: markup,
    };
    tell({
      nodes: [
        node(2, markup, { name: markup, children: [20] }),
        node(20, 'StaticText', { name: markup }),
        node(3, 'textbox', { ...fields, editable: 'line', focusable: true }),
        node(5, 'button', { ...fields, children: [21] }),
        node(21, 'StaticText', { name: markup }),
      ],
    });
    await shown(() => find('button')?.textContent === markup);
    equal(find('img, b, script, [onerror], [href], [src]'), null);
  });

  it('passes the accessibility checker', async () => {
    await fill();
    equal(
      (await axe.run(element)).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`),
      [],
    );
  });

  it('is created by a button if the attribute says ask, and removed if it says none', async () => {
    await fill();
    element.accessibility = 'none';
    await shown(() => find('button') === null);
    element.accessibility = 'ask';
    await shown(() => Boolean(element.shadowRoot?.querySelector('[part=mirror-button]')));
    equal(
      (await axe.run(element)).violations.map(({ id }) => id),
      [],
    );
    element.shadowRoot?.querySelector<HTMLElement>('[part=mirror-button]')?.click();
    await fill();
    ok(find('button'));
  });

  it('gets the focus from the button that creates it', async () => {
    element.accessibility = 'ask';
    await shown(() => Boolean(element.shadowRoot?.querySelector('[part=mirror-button]')));
    element.shadowRoot?.querySelector<HTMLElement>('[part=mirror-button]')?.focus();
    await sendKeys({ press: 'Enter' });
    await shown(() => element.shadowRoot?.querySelector('[part=mirror-button]') === null);
    ok(mirror() && element.shadowRoot?.activeElement === mirror());
    await fill();
    equal(
      (await axe.run(element)).violations.map(({ id }) => id),
      [],
    );
    tell({ focus: 5 });
    await shown(() => element.shadowRoot?.activeElement?.id === 'node-5');
  });

  it('is created without another change after its code could not be loaded, and reports the failure', async () => {
    await fill();
    const { client } = element;
    ok(client);
    const tree = await client.accessibility();
    let loads = 0;
    client.accessibility = () =>
      ++loads <= 2 ? Promise.reject(new TypeError('blocked')) : Promise.resolve(tree);
    element.accessibility = 'none';
    await element.updateComplete;
    const failed = nextEvent(element, 'error');
    element.accessibility = 'mirror';
    equal((await failed).error.name, 'NotLoadedError');
    await shown(() => find('[role=status]') !== null);
  });

  it('is created once if the element is moved while it loads', async () => {
    await fill();
    const { client } = element;
    ok(client);
    const tree = await client.accessibility();
    let load: (() => void) | undefined;
    const loaded = new Promise<void>((resolve) => (load = resolve));
    client.accessibility = () => loaded.then(() => tree);
    element.accessibility = 'none';
    await element.updateComplete;
    element.accessibility = 'mirror';
    await element.updateComplete;
    const place = document.body.appendChild(document.createElement('div'));
    place.append(element);
    await element.updateComplete;
    load?.();
    await frame();
    equal(mirror()?.querySelectorAll('[role=status]').length, 1);
    element.remove();
    place.remove();
  });
});

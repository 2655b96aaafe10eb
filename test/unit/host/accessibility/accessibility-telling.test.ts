import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { AccessibilityUpdate, AccessibleNode, SessionMethod } from 'cloud-browser/protocol';
import { AccessibilityService } from '../../../../server/src/host/features/accessibility/accessibility-service.js';
import { AccessibilityWatch } from '../../../../server/src/host/browser/accessibility/accessibility-watch.js';
import { Calls } from '../../../../server/src/host/room/calls/calls.js';
import { firstRights } from '../../../../server/src/host/room/users/rights.js';
import type { Viewer } from '../../../../server/src/host/room/viewers/viewer.js';
import { FakeAccessiblePage } from '../../../fakes/fake-accessible-page.js';
import { PassingTime } from '../../../fakes/passing-time.js';

/** A viewer, and the messages that it received. */
class FakeViewer {
  readonly updates: AccessibilityUpdate[] = [];
  readonly nodes = new Map<number, AccessibleNode>();
  shutOut = false;
  backlog = 0;
  rights;

  constructor(
    readonly userId: string,
    roles: 'field_masking'[] = [],
  ) {
    this.rights = firstRights({ controlDisabled: false, roles, tiedRoles: [] }, {});
  }

  send(message: { args: [AccessibilityUpdate] }): void {
    const [update] = message.args;
    this.updates.push(update);
    if (update.reset) this.nodes.clear();
    for (const id of update.removed) this.nodes.delete(id);
    for (const node of update.nodes) this.nodes.set(node.id, node);
  }

  /** All that the viewer has ever received. */
  get said(): string {
    return JSON.stringify(this.updates);
  }

  named(name: string): AccessibleNode {
    const found = [...this.nodes.values()].find((node) => node.name === name);
    return found ?? assert.fail(`${name} is not among ${this.said}`);
  }
}

let time: PassingTime;
let page: FakeAccessiblePage;
let masked: Set<number>;
let calls: Calls;
let watch: AccessibilityWatch;
let desk: AccessibilityService;
let acted: unknown[][];
let controls: Set<unknown>;
beforeEach(() => {
  time = new PassingTime();
  page = new FakeAccessiblePage();
  masked = new Set();
  acted = [];
  controls = new Set();
  calls = new Calls(() => false);
  desk = new AccessibilityService(calls, () => undefined);
  open(false);
});
afterEach(() => {
  desk.close();
  watch.close();
  time.restore();
});

/** @param masking true if the session masks fields */
function open(masking: boolean): void {
  const pages = {
    front: () => Promise.resolve(page.session),
    frame: () => undefined,
    onFrame: () => undefined,
    answersAgain: () => undefined,
  };
  const masks = {
    isMaskedField: (_: unknown, __: string, node: number) => Promise.resolve(masked.has(node)),
  };
  watch = new AccessibilityWatch(pages, masking ? masks : undefined);
  const hands = {
    perform: (_: unknown, ...what: unknown[]) => {
      acted.push(what);
      return Promise.resolve('done' as const);
    },
  };
  desk.use({ accessibility: watch, accessibilityActions: hands }, { acts: (viewer) => controls.has(viewer) });
}

const call = (viewer: FakeViewer, method: SessionMethod, ...args: unknown[]) =>
  calls.perform(method, args, { viewer: viewer as unknown as Viewer, admin: false });
const subscribe = (viewer: FakeViewer) => call(viewer, 'subscribe', 'accessibility.onUpdate');

/** Subscribes a new viewer, and lets time pass until they have the tree. */
async function join(milliseconds = 2_000, ...roles: 'field_masking'[]): Promise<FakeViewer> {
  const viewer = new FakeViewer('a', roles);
  await subscribe(viewer);
  await time.pass(milliseconds);
  return viewer;
}

/** Starts a session that masks one node. */
function mask(node: number): void {
  open(true);
  masked.add(node);
}

const FIELD = { editable: 'plaintext', focusable: true };
/** A page whose field has a value that other nodes also have as their name. */
function fill(value: string, name = `Pay with ${value}`): void {
  page.add({
    1: { role: 'RootWebArea', name: 'Till', inside: [2, 3, 4] },
    2: { role: 'button', name },
    3: { role: 'textbox', name: 'Card', value, says: FIELD },
    4: { role: 'button', name: 'Help' },
  });
}

describe('the tree sent to viewers', () => {
  it('is sent only while they request it', async () => {
    fill('x');
    const [one, other] = [new FakeViewer('a'), new FakeViewer('b')];
    await subscribe(one);
    await time.pass(1_000);
    assert.equal(one.nodes.size, 4);
    assert.equal(other.updates.length, 0);
    await call(one, 'unsubscribe', 'accessibility.onUpdate');
    const told = one.updates.length;
    page.change({ 4: { role: 'button', name: 'Support' } });
    await time.pass(1_000);
    assert.equal(one.updates.length, told);
  });

  it('never contains a password or its dots', async () => {
    const field = { role: 'textbox', says: FIELD };
    page.add({
      1: { role: 'RootWebArea', name: 'Till', inside: [2, 3] },
      2: { ...field, name: 'Password', value: 'swordfish', attributes: { type: 'PassWord' } },
      3: { ...field, name: 'Code', value: '•••••' },
    });
    const viewer = await join(1_000, 'field_masking');
    assert.ok(!/swordfish|•/.test(viewer.said));
    assert.ok(viewer.named('Password').password && viewer.named('Code').password);
  });

  it('has a node in the place of its children when the browser shows it again', async () => {
    const around = (ignored: boolean) => ({ role: 'group', name: 'Menu', ignored, inside: [3] });
    page.add({
      ...{ 1: { role: 'RootWebArea', name: 'Till', inside: [2] }, 2: around(true) },
      3: { role: 'button', name: 'Pay' },
    });
    const viewer = await join();
    assert.deepEqual(viewer.named('Till').children, [viewer.named('Pay').id]);
    page.change({ 2: around(false) });
    await time.pass(1_000);
    assert.deepEqual(viewer.named('Till').children, [viewer.named('Menu').id]);
  });

  it('is withdrawn from users excluded by privacy mode', async () => {
    fill('x');
    const viewer = await join(1_000);
    viewer.shutOut = true;
    desk.refresh();
    await time.pass(1_000);
    assert.equal(viewer.nodes.size, 0);
    assert.equal(viewer.updates.at(-1)?.state, 'none');
    const told = viewer.updates.length;
    page.change({ 4: { role: 'button', name: 'Hidden' } });
    await time.pass(1_000);
    assert.equal(viewer.updates.length, told);
    const late = new FakeViewer('b');
    late.shutOut = true;
    await subscribe(late);
    await time.pass(1_000);
    assert.equal(late.nodes.size, 0);
    viewer.shutOut = false;
    desk.refresh();
    await time.pass(1_000);
    viewer.named('Hidden');
  });

  it('waits for slow viewers, and then has the current state', async () => {
    fill('x');
    const [slow, quick] = [new FakeViewer('a'), new FakeViewer('b')];
    await Promise.all([subscribe(slow), subscribe(quick)]);
    await time.pass(1_000);
    slow.backlog = 1_000_000;
    const told = slow.updates.length;
    for (let count = 1; count <= 30; count++) {
      page.change({ 4: { role: 'button', name: `Help ${count}` } });
      await time.pass(300);
    }
    assert.equal(slow.updates.length, told);
    quick.named('Help 30');
    slow.backlog = 0;
    await time.pass(1_000);
    assert.equal(slow.updates.length, told + 1);
    slow.named('Help 30');
    assert.ok(!slow.said.includes('Help 29'));
  });

  it('is updated a few times a second however often the page changes, in messages of limited size', async () => {
    const keys = Array.from({ length: 90 }, (_, index) => index + 10);
    const filled = (text: string) =>
      Object.fromEntries(keys.map((key) => [key, { role: 'button', name: text.repeat(500) }]));
    page.add({ 1: { role: 'RootWebArea', inside: keys }, ...filled('ab c') });
    const viewer = await join(3_000);
    assert.equal(viewer.nodes.size, 91);
    const told = viewer.updates.length;
    for (let count = 0; count < 40; count++) {
      page.change(filled(`n${count} `));
      await time.pass(50);
    }
    assert.ok(viewer.updates.length - told <= 12, `${viewer.updates.length - told} messages in two seconds`);
    for (const update of viewer.updates) assert.ok(JSON.stringify(update).length < 64_000);
  });
});

describe('the content of a masked field', () => {
  const [short, long] = ['737', `4111 ${'1234 '.repeat(1_000)}`];
  for (const [value, name] of [
    ['tortoise', 'Pay with tortoise'],
    ['tortoise', 'Pay with TORTOISE'],
    ['two\nlines of it', 'Send two lines of it'],
    [short, 'Code 737, correct?'],
    [short, '737'],
    ['a-1', 'Code: a-1'],
    ['(.a', 'Code (.a'],
    ['—', '—'],
    [long, `Pay with ${long}`],
  ] as const) {
    it(`is sent only to users who can write there: ${JSON.stringify(name.slice(0, 30))}`, async () => {
      mask(3);
      fill(value, name);
      const [stranger, owner] = [new FakeViewer('a'), new FakeViewer('b', ['field_masking'])];
      await Promise.all([subscribe(stranger), subscribe(owner)]);
      await time.pass(2_000);
      const card = stranger.named('Card');
      assert.deepEqual([card.value, card.disabled, card.role], [undefined, true, 'textbox']);
      stranger.named('Help');
      const leak = value.trim().split(/\s+/)[0] ?? '';
      assert.ok(!stranger.said.toLowerCase().includes(leak), stranger.said.slice(0, 500));
      assert.equal(owner.named('Card').value, value.slice(0, 32_768));
    });
  }

  it('hides no longer text if it is short and has no letter and no digit', async () => {
    mask(3);
    fill('-', 'Inbox - Mail');
    const viewer = await join();
    viewer.named('Inbox - Mail');
  });

  it('is not sent as the name of the field or of its children', async () => {
    mask(2);
    page.add({
      1: { role: 'RootWebArea', name: 'Till', inside: [2] },
      2: { role: 'combobox', name: 'Owner tortoise', value: 'tortoise', inside: [3] },
      3: { role: 'option', name: 'tortoise', says: { selected: true } },
    });
    const viewer = await join();
    assert.ok(!viewer.said.includes('tortoise'), viewer.said.slice(0, 500));
  });

  it('is not sent before the mask is known, or after the content has left the field', async () => {
    mask(3);
    fill('Tall  Tortoise');
    // A page with this many nodes is read node by node.
    page.count = () => [90_000, 80_000];
    page.onAsked = (method) => {
      // The nodes with this name have been read and may be sent.
      if (method === 'DOM.describeNode') page.silent = (asked) => asked === 'DOM.describeNode';
    };
    const viewer = await join(1_500);
    assert.ok(!viewer.said.includes('Tortoise'), viewer.said.slice(0, 500));
    page.onAsked = () => undefined;
    page.silent = () => false;
    await time.pass(10_000);
    viewer.named('Card');
    page.change({ 3: { role: 'textbox', name: 'Card', value: '', says: FIELD } });
    await time.pass(500);
    page.change({ 4: { role: 'button', name: 'Undo Tall Tortoise' } });
    await time.pass(2_000);
    assert.ok(!viewer.said.includes('Tortoise'), viewer.said.slice(0, 500));
  });

  it('is moved with the nodes around it', async () => {
    mask(3);
    page.add({
      1: { role: 'RootWebArea', name: 'Till', inside: [2, 3] },
      2: { role: 'button', name: 'tortoise' },
      3: { role: 'listbox', name: 'Animals', inside: [] },
    });
    const viewer = await join();
    viewer.named('tortoise');
    page.change({
      3: { role: 'listbox', name: 'Animals', inside: [2] },
      1: { role: 'RootWebArea', name: 'Till', inside: [3] },
    });
    await time.pass(2_000);
    viewer.updates.length = 0;
    viewer.shutOut = true;
    desk.refresh();
    await time.pass(500);
    viewer.shutOut = false;
    desk.refresh();
    await time.pass(2_000);
    viewer.named('Animals');
    assert.ok(!viewer.said.includes('tortoise'), viewer.said.slice(0, 500));
  });
});

describe('an action on the accessibility tree', () => {
  it('is refused for users without control, and for backends', async () => {
    fill('x');
    const viewer = new FakeViewer('a');
    for (const args of [['click'], ['focus'], ['scroll'], ['set', 'x']])
      await assert.rejects(call(viewer, 'accessibility.act', 1, ...args), { code: 'err_forbidden' });
    const backend = { viewer: undefined, admin: true };
    const acting = calls.perform('accessibility.act', [1, 'click'], backend);
    await assert.rejects(acting, { code: 'err_viewer_required' });
    assert.deepEqual(acted, []);
  });

  it('is refused with a code if it does not exist', async () => {
    const viewer = new FakeViewer('a');
    controls.add(viewer);
    for (const args of [
      ...[[], ['1', 'click'], [1, 'dance'], [1.5, 'click'], [Number.NaN, 'click'], [null, 'click']],
      ...[[1], [1, 'toString'], [1, ['click']], [1, 'set'], [1, 'set', 7], [1, 'set', 'x'.repeat(32_769)]],
    ])
      await assert.rejects(call(viewer, 'accessibility.act', ...args), { code: 'err_invalid_parameter' });
    assert.deepEqual(acted, []);
    await call(viewer, 'accessibility.act', 7, 'click');
    await call(viewer, 'accessibility.act', 7, 'set', '');
    assert.deepEqual(acted, [
      [7, 'click', undefined],
      [7, 'set', ''],
    ]);
  });

  it('is refused while the browser restarts', async () => {
    const viewer = new FakeViewer('a');
    controls.add(viewer);
    desk.browserIsGone();
    await assert.rejects(call(viewer, 'accessibility.act', 7, 'click'), { code: /err_/ });
    assert.deepEqual(acted, []);
  });
});

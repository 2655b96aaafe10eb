import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { readCommand } from '../../../../server/src/host/features/automation/commands/messages.js';
import type { Command } from '../../../fakes/fake-browser.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';
import { RelayedProgram, ROOT } from '../../../fakes/relayed-program.js';

let time: PassingTime;
let program: RelayedProgram;
let browser: RelayedProgram['browser'];
let relay: RelayedProgram['relay'];
let told: RelayedProgram['told'];

beforeEach(async () => {
  time = new PassingTime();
  program = await RelayedProgram.open();
  ({ browser, relay, told } = program);
});
afterEach(() => time.restore());

const ask = (command: object) => program.ask(command);
const attach = (...args: Parameters<RelayedProgram['attach']>) => program.attach(...args);
const sentTo = (sessionId: string): Command[] => program.sentTo(sessionId);

describe('a relay for a program', () => {
  it('shows pages, frames and workers, and maps the ids of commands', async () => {
    await attach('A', 'https://example.com/');
    await attach('B', 'https://other.example/', 'iframe', 'A');
    const shown = told.filter(({ method }) => method === 'Target.attachedToTarget');
    const parents = shown.map(({ params, sessionId }) => [params?.sessionId, sessionId]);
    assert.deepEqual(parents, [
      ['A', undefined],
      ['B', 'A'],
    ]);
    const [answer] = await ask({ id: 7, method: 'Page.enable', sessionId: 'B' });
    assert.deepEqual(answer, { id: 7, result: {}, sessionId: 'B' });
    assert.notEqual(sentTo('B').at(-1)?.id, 7);
  });

  it('lists the pages that were open before, also for the first command', async () => {
    const other = new RelayedProgram();
    other.browser.targets.push({ targetId: 'first', type: 'page', url: 'https://example.com/' });
    await other.connect(false, { id: 1, method: 'Target.getTargets' });
    const results = other.told.map(({ result }) => result);
    assert.deepEqual(results, [{ targetInfos: other.browser.targets }]);
  });

  for (const url of [
    'chrome-extension://abc/worker.js',
    'blob:chrome-extension://abc/0b9f0c0e-5c4f-4d5c-9a3e-0a3a4a5b6c7d',
    'chrome://settings/',
    'devtools://devtools/bundled/inspector.html',
    'file:///etc/passwd',
    'view-source:https://example.com/',
  ])
    it(`hides ${url}, and lets it run`, async () => {
      await attach('X', url);
      assert.deepEqual(told, []);
      assert.ok(sentTo('X').some(({ method }) => method === 'Runtime.runIfWaitingForDebugger'));
      const [detach] = browser.commands.filter(({ method }) => method === 'Target.detachFromTarget');
      assert.deepEqual(detach?.params, { sessionId: 'X' });
      const [answer] = await ask({ id: 1, method: 'Runtime.enable', sessionId: 'X' });
      assert.match(answer?.error?.message ?? '', /not found/);
      const [info] = await ask({ id: 2, method: 'Target.getTargetInfo', params: { targetId: 'target-X' } });
      assert.match(info?.error?.message ?? '', /No target/);
      const [list] = await ask({ id: 3, method: 'Target.getTargets' });
      assert.deepEqual(list?.result, { targetInfos: [] });
    });

  /** Shows a new tab page, which is hidden. */
  const attachNewTab = async () => {
    await ask({ id: 1, method: 'Target.setAutoAttach', params: { autoAttach: true, flatten: true } });
    await attach('N', 'chrome://newtab/');
  };

  it('forgets a hidden target that is gone', async () => {
    await attachNewTab();
    browser.tell('Target.targetDestroyed', { targetId: 'target-N' }, ROOT);
    const targetInfo = { targetId: 'target-N', url: 'https://example.com/', type: 'page' };
    browser.tell('Target.targetCreated', { targetInfo }, ROOT);
    await settle();
    assert.ok(!browser.methods.includes('Target.attachToTarget'), 'it remembers no target that was hidden');
  });

  it('shows a tab that leaves the new tab page', async () => {
    await attachNewTab();
    const targetInfo = { targetId: 'target-N', url: 'https://example.com/', type: 'page' };
    browser.tell('Target.targetInfoChanged', { targetInfo }, ROOT);
    await settle();
    const [again] = browser.commands.filter(({ method }) => method === 'Target.attachToTarget');
    assert.deepEqual(again?.params, { targetId: 'target-N', flatten: true });
  });

  it('refuses forbidden addresses, sessions of others and methods of another level', async () => {
    await attach('A', 'https://example.com/');
    const before = browser.methods.length;
    const url = 'view-source:file:///etc/passwd';
    const cases: [command: object, refusal: RegExp][] = [
      [{ method: 'Page.navigate', params: { url }, sessionId: 'A' }, /cannot be opened/],
      [{ method: 'Target.createTarget', params: { url } }, /cannot be opened/],
      [{ method: 'Page.enable', sessionId: 'host' }, /not found/],
      [{ method: 'Page.enable' }, /wasn't found/],
      [{ method: 'Extensions.loadUnpacked', params: { path: '/' } }, /refused/],
      [{ method: 'New.method' }, /wasn't found/],
    ];
    for (const [id, [command, refusal]] of cases.entries()) {
      const [answer] = await ask({ id, ...command });
      assert.match(answer?.error?.message ?? 'nothing', refusal);
    }
    assert.deepEqual(program.unknown, ['New.method']);
    const { commands, refused: refusals } = program.counts;
    assert.deepEqual([commands['navigation'], refusals], [2, 6]);
    assert.ok(program.refusals.some(([method]) => method === 'Extensions.loadUnpacked'));
    assert.ok(!browser.methods.slice(before).some((method) => /^(?:Extensions|Page|New)\./.test(method)));
  });

  it('hides the contexts of extensions and of the own scripts of the session', async () => {
    await attach('A', 'https://example.com/');
    await ask({ id: 8, method: 'Runtime.enable', sessionId: 'A' });
    const context = (id: number, origin: string, name: string, isDefault: boolean) => {
      const auxData = { isDefault, type: isDefault ? 'default' : 'isolated' };
      browser.tell('Runtime.executionContextCreated', { context: { id, origin, name, auxData } }, 'A');
    };
    context(1, 'https://example.com', '', true);
    context(2, 'chrome-extension://abc', 'focus', false);
    context(3, 'https://example.com', 'session-focus', false);
    await settle();
    assert.equal(told.filter(({ method }) => method === 'Runtime.executionContextCreated').length, 1);
    for (const [contextId, error] of [
      [1, false],
      [2, true],
      [3, true],
    ] as const) {
      const params = { expression: '1', contextId };
      const [answer] = await ask({ id: 9, method: 'Runtime.evaluate', params, sessionId: 'A' });
      assert.equal(answer?.error !== undefined, error);
    }
    const params = { frameId: 'f', worldName: 'session-focus' };
    const [world] = await ask({ id: 9, method: 'Page.createIsolatedWorld', params, sessionId: 'A' });
    assert.ok(world?.error);
  });

  it('lets acting commands wait for control while reading goes on', async () => {
    await attach('A', 'https://example.com/');
    let give: () => void = () => undefined;
    program.held = () => new Promise((resolve) => (give = resolve));
    const key = { type: 'keyDown', key: 'a' };
    assert.deepEqual(await ask({ id: 1, method: 'Input.dispatchKeyEvent', params: key, sessionId: 'A' }), []);
    const [read] = await ask({ id: 2, method: 'DOM.getDocument', sessionId: 'A' });
    assert.equal(read?.id, 2);
    give();
    await settle();
    assert.equal(told.at(-1)?.id, 1);
  });

  it('removes what a person has sent for a paste before input reaches a page', async () => {
    await attach('A', 'https://example.com/');
    let removed: () => void = () => undefined;
    program.removePasteOfOthers = () => new Promise((resolve) => (removed = resolve));
    const key = { type: 'rawKeyDown', commands: ['paste'] };
    await ask({ id: 1, method: 'Input.dispatchKeyEvent', params: key, sessionId: 'A' });
    assert.ok(!browser.methods.includes('Input.dispatchKeyEvent'));
    const move = { type: 'mouseMoved', x: 1, y: 1 };
    await ask({ id: 2, method: 'Input.dispatchMouseEvent', params: move, sessionId: 'A' });
    assert.ok(browser.methods.includes('Input.dispatchMouseEvent'), 'a move cannot paste');
    removed();
    await settle();
    assert.ok(browser.methods.includes('Input.dispatchKeyEvent'));
  });

  it('counts the characters of commands that wait for control', async () => {
    await attach('A', 'https://example.com/');
    let give: () => void = () => undefined;
    program.held = () => new Promise((resolve) => (give = resolve));
    const params = { text: 'x'.repeat(10_000) };
    await ask({ id: 1, method: 'Input.insertText', params, sessionId: 'A' });
    assert.equal(relay.pending.size > params.text.length, true);
    give();
    await settle();
    assert.deepEqual([told.at(-1)?.id, relay.pending.size], [1, 0]);
  });

  it('counts the characters of commands that wait for an answer about their context', async () => {
    await attach('A', 'https://example.com/');
    browser.silent = ({ params }) => params['expression'] === '[]';
    const params = { expression: 'x'.repeat(10_000), contextId: 1 };
    await ask({ id: 1, method: 'Runtime.evaluate', params, sessionId: 'A' });
    assert.equal(relay.pending.size > params.expression.length, true);
    const question = sentTo('A').at(-1) ?? assert.fail('The relay has asked nothing.');
    const object = { type: 'object', objectId: '-42.1.1' };
    browser.say(JSON.stringify({ id: question.id, result: { result: object }, sessionId: 'A' }));
    await settle();
    assert.deepEqual([told.at(-1)?.id, relay.pending.size], [1, 0]);
  });

  it('reads nothing during the privacy mode of another user', async () => {
    await attach('A', 'https://example.com/');
    program.canRead = false;
    const [answer] = await ask({ id: 1, method: 'Page.captureScreenshot', sessionId: 'A' });
    assert.match(answer?.error?.message ?? '', /privacy mode/);
  });

  it('releases keys and buttons, and ends its session with the browser, when the program leaves', async () => {
    await attach('A', 'https://example.com/');
    const key = { type: 'keyDown', key: 'Shift', code: 'ShiftLeft' };
    await ask({ id: 1, method: 'Input.dispatchKeyEvent', params: key, sessionId: 'A' });
    const press = { type: 'mousePressed', x: 3, y: 4, button: 'left' };
    await ask({ id: 2, method: 'Input.dispatchMouseEvent', params: press, sessionId: 'A' });
    relay.close();
    await settle();
    const sent = sentTo('A').map(({ params }) => params['type']);
    assert.deepEqual(sent.slice(-2), ['keyUp', 'mouseReleased']);
    const last = browser.commands.at(-1);
    assert.deepEqual([last?.method, last?.params], ['Target.detachFromTarget', { sessionId: ROOT }]);
  });

  it('survives 10,000 random commands, and answers each at most once', async () => {
    await attach('A', 'https://example.com/');
    let seed = 7;
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    const methods = [
      ...['Page.navigate', 'Target.setAutoAttach', 'Target.attachToTarget', 'Runtime.evaluate', 'x'],
      ...['Input.dispatchKeyEvent', 'Target.getTargets', 'DOM.setFileInputFiles', 'Browser.crash', ''],
    ];
    const fields = ['url', 'targetId', 'sessionId', 'flatten', 'filter', 'type', 'autoAttach', 'contextId'];
    const values = [1, -1, null, '', 'file:///', [], {}, true, '\u0000', { a: [{}] }, 'A', 1e308];
    const from = told.length;
    for (let id = 0; id < 10_000; id++) {
      const params = Object.fromEntries(fields.map((name) => [name, values[random(values.length)]]));
      const method = methods[random(methods.length)];
      const text = JSON.stringify({ id, method, params, ...(random(2) === 1 && { sessionId: 'A' }) });
      void relay.take(readCommand(text), text.length);
      if (id % 100 === 0) await settle();
    }
    await settle();
    const ids = told.slice(from).flatMap(({ id }) => id ?? []);
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(relay.pending.size, 0);
  });
});

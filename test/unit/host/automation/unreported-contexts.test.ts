import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Command } from '../../../fakes/fake-browser.js';
import { PageContexts } from '../../../fakes/page-contexts.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';
import { RelayedProgram } from '../../../fakes/relayed-program.js';

const [MAIN, FRAME, HIDDEN] = [1, 2, 3];

let time: PassingTime;
let program: RelayedProgram;
let contexts: PageContexts;
beforeEach(async () => {
  time = new PassingTime();
  program = await RelayedProgram.open();
  await program.attach('A', 'https://example.com/');
  contexts = new PageContexts(program.browser);
  contexts.add(MAIN);
  contexts.add(FRAME, 'inner');
  contexts.add(HIDDEN, 'F', 'session-focus');
});
afterEach(() => time.restore());

const askPage = (method: string, params: object = {}) =>
  program.ask({ id: 5, method, params, sessionId: 'A' });

/** Creates an isolated world of the program. Returns its context. */
async function createWorld(worldName = 'utility'): Promise<number> {
  const [answer] = await askPage('Page.createIsolatedWorld', { frameId: 'F', worldName });
  return (answer?.result as { executionContextId: number }).executionContextId;
}

/** Runs a script in a context. Returns the error. */
async function errorIn(contextId: number): Promise<string> {
  const [answer] = await askPage('Runtime.evaluate', { expression: 'mine', contextId });
  return answer?.error?.message ?? 'nothing';
}

/** Returns the contexts in which the browser has run scripts of the program. */
const usedContexts = () =>
  program
    .sentTo('A')
    .filter(({ params }) => params['expression'] === 'mine')
    .map(({ params }) => params['contextId']);

describe('a program that never enables the domain Runtime', () => {
  it('runs scripts in its isolated world', async () => {
    const world = await createWorld();
    assert.equal(await errorIn(world), 'nothing');
    const params = { backendNodeId: 'F', executionContextId: world };
    const [resolved] = await askPage('DOM.resolveNode', params);
    assert.equal(resolved?.error, undefined);
  });

  it('runs scripts in the contexts of the page, also of inner frames', async () => {
    assert.equal(await errorIn(MAIN), 'nothing');
    assert.equal(await errorIn(FRAME), 'nothing');
    assert.deepEqual(usedContexts(), [MAIN, FRAME]);
  });

  it('reaches no isolated world of the session', async () => {
    await createWorld();
    assert.match(await errorIn(HIDDEN), /Cannot find context/);
    assert.match(await errorIn(99), /Cannot find context/);
    assert.deepEqual(usedContexts(), []);
  });

  it('reaches no isolated world of the session whose id was the id of its own world', async () => {
    const world = await createWorld();
    contexts.changeProcess();
    contexts.add(MAIN);
    contexts.add(world, 'F', 'session-focus');
    assert.match(await errorIn(world), /Cannot find context/);
    assert.deepEqual(usedContexts(), []);
  });

  it('receives only the answers to its own commands', async () => {
    const world = await createWorld();
    const from = program.told.length;
    await errorIn(world);
    await errorIn(FRAME);
    assert.deepEqual(
      program.told.slice(from).map(({ id }) => id),
      [5, 5],
    );
  });

  it('sends no more scripts at once than a program that enables it', async () => {
    program.browser.silent = ({ method }) => method === 'Runtime.evaluate';
    const script = { id: 5, method: 'Runtime.evaluate', params: { contextId: MAIN }, sessionId: 'A' };
    let sent = 0;
    for (; sent < 100 && program.relay.hasRoom(script); sent++)
      await askPage(script.method, { contextId: MAIN });
    assert.equal(sent, 4);
  });

  it('leaves no objects of the check in the page', async () => {
    await errorIn(FRAME);
    const groups = program.sentTo('A').map(({ params }) => params['objectGroup']);
    const released = program.sentTo('A').find(({ method }) => method === 'Runtime.releaseObjectGroup');
    assert.ok(groups.includes(released?.params['objectGroup']));
  });
});

it('a program that enables the domain Runtime uses its contexts also before the answer', async () => {
  const world = await createWorld();
  const { silent } = program.browser;
  program.browser.silent = (command) => command.method === 'Runtime.enable' || silent(command);
  await askPage('Runtime.enable');
  assert.equal(await errorIn(world), 'nothing');
});

describe('a program that has disabled the domain Runtime', () => {
  /** Reports a context to the program. */
  async function report(id: number, name: string): Promise<void> {
    const auxData = { isDefault: name === '', type: name === '' ? 'default' : 'isolated', frameId: 'F' };
    const context = { id, uniqueId: `unique-${id}`, origin: 'https://example.com', name, auxData };
    program.browser.tell('Runtime.executionContextCreated', { context }, 'A');
    await settle();
  }

  it('uses the contexts that were reported before', async () => {
    const world = await createWorld();
    await askPage('Runtime.enable');
    await report(MAIN, '');
    await report(world, 'utility');
    await askPage('Runtime.disable');
    assert.equal(await errorIn(MAIN), 'nothing');
    assert.equal(await errorIn(world), 'nothing');
  });

  it('reaches no isolated world of the session whose id was the id of a reported context', async () => {
    await askPage('Runtime.enable');
    await report(MAIN, '');
    await askPage('Runtime.disable');
    await report(FRAME, '');
    contexts.changeProcess();
    contexts.add(9);
    contexts.add(MAIN, 'F', 'session-focus');
    contexts.add(FRAME, 'F', 'session-masks');
    assert.match(await errorIn(MAIN), /Cannot find context/);
    assert.match(await errorIn(FRAME), /Cannot find context/);
    assert.deepEqual(usedContexts(), []);
  });

  it('reaches no isolated world by an id that was reported before it enabled the domain again', async () => {
    const { silent } = program.browser;
    const ofRuntime = ['Runtime.enable', 'Runtime.disable'];
    program.browser.silent = (command) => ofRuntime.includes(command.method) || silent(command);
    for (const method of ['Runtime.enable', 'Runtime.disable', 'Runtime.enable']) await askPage(method);
    const [first, disabling, second] = program.sentTo('A').filter(({ method }) => ofRuntime.includes(method));
    const answer = async (command: Command | undefined) => {
      program.browser.answer(command ?? assert.fail('The relay has not sent the command.'));
      await settle();
    };
    await report(FRAME, '');
    await answer(first);
    await answer(disabling);
    contexts.changeProcess();
    contexts.add(MAIN);
    contexts.add(FRAME, 'F', 'session-masks');
    assert.match(await errorIn(FRAME), /Cannot find context/);
    await report(MAIN, '');
    await answer(second);
    assert.match(await errorIn(FRAME), /Cannot find context/);
    assert.equal(await errorIn(MAIN), 'nothing');
  });

  describe('reaches no object of a world of the session', () => {
    const callOn = async (id: number): Promise<string> => {
      const params = { objectId: `-42.${id}.1`, functionDeclaration: '() => 1' };
      const [answer] = await askPage('Runtime.callFunctionOn', params);
      return answer?.error?.message ?? 'nothing';
    };

    it('after it has disabled the domain', async () => {
      await askPage('Runtime.enable');
      await askPage('Runtime.disable');
      assert.match(await callOn(HIDDEN), /Cannot find context/);
      assert.ok(!program.browser.methods.includes('Runtime.callFunctionOn'));
      assert.equal(await callOn(MAIN), 'nothing');
      assert.equal(await callOn(FRAME), 'nothing');
    });

    it('before the domain is enabled again', async () => {
      const { silent } = program.browser;
      program.browser.silent = (command) => command.method === 'Runtime.enable' || silent(command);
      await askPage('Runtime.enable');
      assert.match(await callOn(HIDDEN), /Cannot find context/);
      assert.equal(await callOn(MAIN), 'nothing');
    });
  });
});

it('a program that never enables the domain Runtime calls objects without a question to the browser', async () => {
  const before = program.sentTo('A').length;
  await askPage('Runtime.callFunctionOn', { objectId: '-42.1.1', functionDeclaration: '() => 1' });
  assert.equal(program.sentTo('A').length, before + 1);
});

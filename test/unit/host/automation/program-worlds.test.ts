import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { PassingTime, settle } from '../../../fakes/passing-time.js';
import { RelayedProgram } from '../../../fakes/relayed-program.js';

let time: PassingTime;
let program: RelayedProgram;
beforeEach(async () => {
  time = new PassingTime();
  program = await RelayedProgram.open();
  await program.attach('A', 'https://example.com/');
  await program.ask({ id: 1, method: 'Runtime.enable', sessionId: 'A' });
});
afterEach(() => time.restore());

/** Lets the page report an isolated world. Returns the answer to a script in this world. */
async function scriptIn(contextId: number, name: string) {
  const auxData = { isDefault: false, type: 'isolated', frameId: 'F' };
  const context = { id: contextId, origin: '', name, auxData };
  program.browser.tell('Runtime.executionContextCreated', { context }, 'A');
  await settle();
  const params = { expression: '1', contextId };
  const [answer] = await program.ask({ id: 2, method: 'Runtime.evaluate', params, sessionId: 'A' });
  return answer;
}

describe('an isolated world of a program', () => {
  for (const worldName of [undefined, ''])
    it(`runs its scripts if its name is ${JSON.stringify(worldName)}`, async () => {
      const params = { frameId: 'F', worldName };
      await program.ask({ id: 1, method: 'Page.createIsolatedWorld', params, sessionId: 'A' });
      const created = program.sentTo('A').findLast(({ method }) => method === 'Page.createIsolatedWorld');
      const { worldName: name } = created?.params ?? {};
      const answer = await scriptIn(7, typeof name === 'string' ? name : '');
      assert.equal(answer?.error, undefined);
    });

  it('does not open worlds without a name that others created', async () => {
    const params = { source: '1', worldName: '' };
    const method = 'Page.addScriptToEvaluateOnNewDocument';
    await program.ask({ id: 1, method, params, sessionId: 'A' });
    assert.match((await scriptIn(7, ''))?.error?.message ?? '', /Cannot find context/);
  });
});

describe('an object of a world that is hidden from programs', () => {
  // For example, a script of an extension has written it to the console.
  const [OWN, HIDDEN] = ['-42.7.1', '-42.8.1'];

  for (const [method, name, more] of [
    ['Runtime.callFunctionOn', 'objectId', { functionDeclaration: '() => 1' }],
    ['Runtime.getProperties', 'objectId', {}],
    ['Runtime.awaitPromise', 'promiseObjectId', {}],
    ['Runtime.queryObjects', 'prototypeObjectId', {}],
  ] as const)
    it(`does not reach ${method}`, async () => {
      const auxData = { isDefault: true, type: 'default', frameId: 'F' };
      const context = { id: 7, origin: 'https://example.com', name: '', auxData };
      program.browser.tell('Runtime.executionContextCreated', { context }, 'A');
      const extension = { ...context, id: 8, origin: 'chrome-extension://abc', name: 'an extension' };
      const hidden = { ...extension, auxData: { ...auxData, isDefault: false, type: 'isolated' } };
      program.browser.tell('Runtime.executionContextCreated', { context: hidden }, 'A');
      await settle();
      const refusal = (id: string) => program.refusal(method, { ...more, [name]: id }, 'A');
      assert.match(await refusal(HIDDEN), /Cannot find context/);
      assert.match(await refusal(` ${HIDDEN}`), /Cannot find context/);
      assert.ok(!program.browser.methods.includes(method));
      assert.equal(await refusal(OWN), 'nothing');
    });
});

it('the functions of other worlds that listen to events are not returned', async () => {
  const params = { objectId: '-42.7.1', depth: -1, pierce: true };
  const method = 'DOMDebugger.getEventListeners';
  assert.equal(await program.refusal(method, params, 'A'), 'nothing');
  assert.deepEqual(program.sentTo('A').at(-1)?.params, { ...params, pierce: false });
});

it('a script does not run if its context has ended while it waited for control', async () => {
  const auxData = { isDefault: true, type: 'default', frameId: 'F' };
  const context = { id: 7, origin: 'https://example.com', name: '', auxData };
  program.browser.tell('Runtime.executionContextCreated', { context }, 'A');
  await settle();
  let give: () => void = () => undefined;
  program.held = () => new Promise((resolve) => (give = resolve));
  const params = { expression: '1', contextId: 7, userGesture: true };
  assert.deepEqual(await program.ask({ id: 3, method: 'Runtime.evaluate', params, sessionId: 'A' }), []);
  // A person opens a site in another process, in which the id belongs to another context.
  program.browser.tell('Runtime.executionContextsCleared', {}, 'A');
  await settle();
  give();
  await settle();
  assert.match(program.told.at(-1)?.error?.message ?? '', /Cannot find context/);
  assert.ok(!program.browser.methods.includes('Runtime.evaluate'));
});

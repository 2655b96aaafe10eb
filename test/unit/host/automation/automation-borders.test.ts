import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { CallError } from '../../../../server/src/host/room/calls/call-error.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';
import { exceptionOf, RelayedProgram, ROOT, type ProgramMessage } from '../../../fakes/relayed-program.js';

let time: PassingTime;
beforeEach(() => (time = new PassingTime()));
afterEach(() => time.restore());

describe('a further session of a program with the browser', () => {
  const open = (program: RelayedProgram) =>
    program.answerSession('second', () => program.ask({ id: 5, method: 'Target.attachToBrowserTarget' }));

  it('has the pages of the session, and their own sessions', async () => {
    const program = await RelayedProgram.withPage();
    await open(program);
    assert.deepEqual(program.told.find(({ id }) => id === 5)?.result, { sessionId: 'second' });
    const [list] = await program.ask({ id: 6, method: 'Target.getTargets', sessionId: 'second' });
    assert.equal(list?.sessionId, 'second');
    assert.match(JSON.stringify(list.result), /target-A/);
    const params = { targetId: 'target-A', flatten: true };
    await program.ask({ id: 7, method: 'Target.attachToTarget', params, sessionId: 'second' });
    assert.equal(program.sentTo('second').at(-1)?.method, 'Target.attachToTarget');
    await program.attach('A2', 'https://example.com/', 'page', 'second');
    const [event] = program.told.filter(({ params: said }) => said?.sessionId === 'A2');
    assert.equal(event?.sessionId, 'second');
    const [answer] = await program.ask({ id: 8, method: 'DOM.getDocument', sessionId: 'A2' });
    assert.deepEqual([answer?.id, answer?.sessionId, answer?.error], [8, 'A2', undefined]);
  });

  it('reaches no pages of extensions and no methods of pages', async () => {
    const program = await RelayedProgram.withPage();
    await open(program);
    await program.attach('X', 'chrome-extension://abc/worker.js', 'service_worker', 'second');
    assert.ok(!program.told.some(({ params }) => params?.sessionId === 'X'));
    assert.deepEqual(program.sentTo('second').at(-1)?.params, { sessionId: 'X' });
    assert.match(await program.refusal('Page.enable', {}, 'second'), /wasn't found/);
    assert.match(await program.refusal('Target.attachToBrowserTarget', {}, 'A'), /to the browser/);
  });

  it('gets the events of targets that it has requested, until it is detached', async () => {
    const program = await RelayedProgram.withPage();
    await open(program);
    const [first] = await program.ask({
      ...{ id: 1, method: 'Target.setDiscoverTargets', params: { discover: true }, sessionId: 'second' },
    });
    assert.deepEqual([first?.method, first?.sessionId], ['Target.targetCreated', 'second']);
    const [answer] = await program.ask({
      ...{ id: 2, method: 'Target.detachFromTarget', params: { sessionId: 'second' } },
    });
    assert.equal(answer?.error, undefined);
    assert.equal(program.sentTo(ROOT).at(-1)?.method, 'Target.detachFromTarget');
    program.browser.tell('Target.detachedFromTarget', { sessionId: 'second' }, ROOT);
    await settle();
    const from = program.told.length;
    await program.attach('B', 'https://example.com/b');
    assert.ok(!program.told.slice(from).some(({ sessionId }) => sessionId === 'second'));
    assert.match(await program.refusal('Target.getTargets', {}, 'second'), /not found/);
  });
});

describe('a page that comes from the cache of documents', () => {
  const navigated = (program: RelayedProgram, type: string) => {
    const from = program.told.length;
    const frame = { id: 'F', loaderId: 'L', url: 'https://example.com/' };
    program.browser.tell('Page.frameNavigated', { frame, type }, 'A');
    return settle().then(() => program.told.slice(from));
  };

  it('is reported as loaded to a program that follows loads', async () => {
    const program = await RelayedProgram.withPage();
    const method = 'Page.setLifecycleEventsEnabled';
    await program.ask({ id: 1, method, params: { enabled: true }, sessionId: 'A' });
    const told = await navigated(program, 'BackForwardCacheRestore');
    const nameOf = ({ params }: ProgramMessage) => (params as { name?: string }).name;
    const said = told.map((event) => [event.method, nameOf(event), event.sessionId]);
    assert.deepEqual(said, [
      ['Page.frameNavigated', undefined, 'A'],
      ['Page.lifecycleEvent', 'DOMContentLoaded', 'A'],
      ['Page.lifecycleEvent', 'load', 'A'],
    ]);
    assert.equal((await navigated(program, 'Navigation')).length, 1);
    await program.ask({ id: 2, method, params: { enabled: false }, sessionId: 'A' });
    assert.equal((await navigated(program, 'BackForwardCacheRestore')).length, 1);
  });

  it('is rare, because documents of an attached page stay out of the cache', async () => {
    const program = await RelayedProgram.withPage();
    const sent = program.sentTo('A');
    const script = sent.find(({ method }) => method === 'Page.addScriptToEvaluateOnNewDocument');
    assert.match(String(script?.params['source']), /unload/);
    // A program may not reach a world with this name.
    assert.match(String(script?.params['worldName']), /^session-/);
  });

  it('is not reported during the privacy mode of another user', async () => {
    const program = await RelayedProgram.withPage();
    await program.ask({
      ...{ id: 1, method: 'Page.setLifecycleEventsEnabled', params: { enabled: true }, sessionId: 'A' },
    });
    program.canRead = false;
    assert.deepEqual(await navigated(program, 'BackForwardCacheRestore'), []);
  });
});

describe('a program in a session with masked fields', () => {
  const CALLS: readonly (readonly [method: string, params: object])[] = [
    ['Runtime.evaluate', { expression: '1' }],
    ['Runtime.callFunctionOn', { functionDeclaration: '() => 1', objectId: '1' }],
    ['Runtime.getProperties', { objectId: '1' }],
    ['Runtime.addBinding', { name: 'tell' }],
    ['Page.addScriptToEvaluateOnNewDocument', { source: '1' }],
    ['Page.captureScreenshot', {}],
    ['Page.setDocumentContent', { frameId: 'f', html: '' }],
    ['DOM.getDocument', {}],
    ['DOM.setAttributeValue', { nodeId: 1, name: 'value', value: '' }],
    ['DOMSnapshot.captureSnapshot', { computedStyles: [] }],
    ['Accessibility.getFullAXTree', {}],
    ['Fetch.enable', {}],
    ['Emulation.setScriptExecutionDisabled', { value: true }],
    ['Storage.getCookies', {}],
    ['Network.getCookies', {}],
    ['Input.insertText', { text: 'a' }],
    ['Input.dispatchKeyEvent', { type: 'keyDown', key: 'a' }],
    ['Input.dispatchMouseEvent', { type: 'mousePressed', x: 1, y: 1, button: 'left' }],
  ];

  for (const [method, params] of CALLS)
    it(`may not call ${method} without the role`, async () => {
      const program = await RelayedProgram.withPage(true);
      const sent = () => program.browser.methods.filter((name) => name === method).length;
      const before = sent();
      assert.match(await program.refusal(method, params, 'A'), /role field_masking/);
      assert.equal(sent(), before);
      program.opensMasked = true;
      assert.doesNotMatch(await program.refusal(method, params, 'A'), /role field_masking/);
    });

  it('navigates, and gets no contents of requests', async () => {
    const program = await RelayedProgram.withPage(true);
    const url = 'https://example.com/next';
    assert.equal(await program.refusal('Page.navigate', { url }, 'A'), 'nothing');
    assert.equal(program.sentTo('A').at(-1)?.method, 'Page.navigate');
    assert.equal(await program.refusal('Network.enable', {}, 'A'), 'nothing');
    assert.ok(!program.browser.methods.includes('Network.enable'));
  });

  it('gets no messages of the console, because a page may write there what users type', async () => {
    const program = await RelayedProgram.withPage(true);
    const says = async (method: string) => {
      const from = program.told.length;
      program.browser.tell(method, { args: ['secret'] }, 'A');
      await settle();
      return program.told.slice(from).map((message) => message.method);
    };
    for (const method of ['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded']) {
      program.opensMasked = false;
      assert.deepEqual(await says(method), []);
      program.opensMasked = true;
      assert.deepEqual(await says(method), [method]);
    }
    program.opensMasked = false;
    assert.deepEqual(await says('Page.loadEventFired'), ['Page.loadEventFired']);
  });

  it('may not act on a field after it has lost the role while it waited', async () => {
    const program = await RelayedProgram.withPage(true);
    program.opensMasked = true;
    let give: () => void = () => undefined;
    program.held = () => new Promise((resolve) => (give = resolve));
    await program.ask({ id: 3, method: 'Input.insertText', params: { text: 'a' }, sessionId: 'A' });
    program.opensMasked = false;
    give();
    await settle();
    assert.match(program.told.at(-1)?.error?.message ?? '', /role field_masking/);
    assert.ok(!program.browser.methods.includes('Input.insertText'));
  });

  it('gets no answer of a script that still ran when it lost the role', async () => {
    const program = await RelayedProgram.withPage(true);
    program.opensMasked = true;
    program.browser.silent = ({ method }) => method === 'Runtime.evaluate';
    await program.ask({ id: 3, method: 'Runtime.evaluate', params: { expression: '1' }, sessionId: 'A' });
    program.opensMasked = false;
    const { id } = program.sentTo('A').at(-1) ?? assert.fail('The relay has sent nothing.');
    program.browser.say(JSON.stringify({ id, result: { result: { value: 'secret' } }, sessionId: 'A' }));
    await settle();
    assert.match(JSON.stringify(program.told.at(-1)), /"id":3.*role field_masking/);
    assert.doesNotMatch(JSON.stringify(program.told), /secret/);
  });
});

describe('a program during the privacy mode of another user', () => {
  it('gets no events of pages and no addresses', async () => {
    const program = await RelayedProgram.withPage();
    program.canRead = false;
    const from = program.told.length;
    program.browser.tell('Page.frameNavigated', { frame: { url: 'https://secret.example/' } }, 'A');
    await program.attach('B', 'https://secret.example/');
    const context = { id: 1, origin: 'https://secret.example', name: '', auxData: { isDefault: true } };
    program.browser.tell('Runtime.executionContextCreated', { context }, 'A');
    await settle();
    const told = program.told.slice(from);
    const methods = told.map(({ method }) => method);
    assert.deepEqual(methods, ['Target.attachedToTarget', 'Runtime.executionContextCreated']);
    assert.doesNotMatch(JSON.stringify(told), /secret/);
  });

  it('gets no answer to a command that began before', async () => {
    const program = await RelayedProgram.withPage();
    program.browser.silent = ({ method }) => method === 'Runtime.evaluate';
    await program.ask({ id: 4, method: 'Runtime.evaluate', params: { expression: '1' }, sessionId: 'A' });
    program.canRead = false;
    const command = program.sentTo('A').at(-1) ?? assert.fail('No command was sent.');
    program.browser.say(JSON.stringify({ id: command.id, result: { secret: 1 }, sessionId: 'A' }));
    await settle();
    const answer = program.told.at(-1);
    assert.doesNotMatch(JSON.stringify(answer), /secret/);
    assert.match(exceptionOf(answer), /privacy mode/);
    assert.deepEqual([answer?.id, answer?.sessionId], [4, 'A']);
  });

  it('gets the reason as an exception of its scripts, because Playwright replaces other errors', async () => {
    const program = await RelayedProgram.withPage();
    program.canRead = false;
    for (const [method, params] of [
      ['Runtime.evaluate', { expression: '1', userGesture: true }],
      ['Runtime.callFunctionOn', { functionDeclaration: '() => 1', objectId: '1.2.3' }],
    ] as const) {
      const [answer] = await program.ask({ id: 5, method, params, sessionId: 'A' });
      assert.equal(answer?.error, undefined, method);
      assert.match(exceptionOf(answer), /^Error: Another user is in privacy mode.* Try again when/, method);
    }
    for (const method of ['Page.navigate', 'Page.captureScreenshot', 'Input.insertText'])
      assert.match(await program.refusal(method, {}, 'A'), /privacy mode.* Try again when/, method);
    const refused = program.refusals.map(([method]) => method);
    assert.deepEqual(refused.slice(0, 2), ['Runtime.evaluate', 'Runtime.callFunctionOn']);
  });

  it('gets the reason as an exception of a script that waited for control when it began', async () => {
    const program = await RelayedProgram.withPage();
    let refuse: (error: Error) => void = () => undefined;
    program.held = () => new Promise((_resolve, reject) => (refuse = reject));
    const script = { expression: '1', userGesture: true };
    await program.ask({ id: 6, method: 'Runtime.evaluate', params: script, sessionId: 'A' });
    program.canRead = false;
    refuse(new CallError('err_forbidden', 'Another user is in privacy mode.'));
    await settle();
    assert.match(exceptionOf(program.told.at(-1)), /privacy mode/);
    program.canRead = true;
    await program.ask({ id: 7, method: 'Runtime.evaluate', params: script, sessionId: 'A' });
    refuse(new CallError('err_forbidden', 'This needs the role control.'));
    await settle();
    assert.match(exceptionOf(program.told.at(-1)), /role control/);
  });

  it('gets an error, not an exception, for a session that it does not have', async () => {
    const program = await RelayedProgram.withPage();
    program.canRead = false;
    const refusal = await program.refusal('Runtime.evaluate', { expression: '1' }, 'other');
    assert.match(refusal, /Session with given id/);
  });

  it('stops no page: requests and new pages that wait for it go on', async () => {
    const program = await RelayedProgram.withPage();
    program.canRead = false;
    program.browser.tell('Fetch.requestPaused', { requestId: 'r' }, 'A');
    await program.attach('B', 'https://example.com/');
    assert.deepEqual(program.sentTo('A').at(-1)?.params, { requestId: 'r' });
    assert.equal(program.sentTo('B').at(-1)?.method, 'Runtime.runIfWaitingForDebugger');
  });

  it('stops no page that already waited for it: its refused command goes on without its changes', async () => {
    const program = await RelayedProgram.withPage();
    const changes = { requestId: 'r', responseCode: 200, body: 'c2VjcmV0' };
    program.canRead = false;
    const request = { requestId: 'r' };
    const auth = { ...request, authChallengeResponse: { response: 'Default' } };
    for (const [method, sent, params] of [
      ...['continueRequest', 'continueResponse', 'failRequest', 'fulfillRequest'].map(
        (name) => [`Fetch.${name}`, 'Fetch.continueRequest', request] as const,
      ),
      ['Fetch.continueWithAuth', 'Fetch.continueWithAuth', auth],
      ['Runtime.runIfWaitingForDebugger', 'Runtime.runIfWaitingForDebugger', {}],
    ] as const) {
      const before = program.sentTo('A').length;
      assert.match(await program.refusal(method, changes, 'A'), /privacy mode/);
      const [command, ...others] = program.sentTo('A').slice(before);
      assert.deepEqual([command?.method, command?.params, others], [sent, params, []]);
    }
    const before = program.sentTo('A').length;
    for (const method of ['Fetch.getResponseBody', 'Fetch.disable'])
      await program.refusal(method, { requestId: 'r' }, 'A');
    assert.equal(program.sentTo('A').length, before);
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { METHODS } from '../../../../server/src/host/features/automation/methods/method-table.js';
import { PassingTime, settle } from '../../../fakes/passing-time.js';
import { RelayedProgram } from '../../../fakes/relayed-program.js';

const of = (domain: string, names: string) => names.split(' ').map((name) => `${domain}.${name}`);

/** Methods that read cookies, storage, requests, scripts, hidden nodes or the text of password fields. */
const REVEALS = [
  ...of('Network', 'getAllCookies getCookies getRequestPostData getResponseBody searchInResponseBody'),
  ...of('Storage', 'getCookies getUsageAndQuota'),
  ...of('Fetch', 'getResponseBody takeResponseBodyAsStream'),
  ...of('DOM', 'describeNode getAttributes getDocument getFlattenedDocument getOuterHTML getSearchResults'),
  ...of('DOM', 'performSearch pushNodesByBackendIdsToFrontend querySelector querySelectorAll'),
  ...of('DOM', 'requestChildNodes requestNode resolveNode'),
  ...of('CSS', 'getAnimatedStylesForNode getComputedStyleForNode getInlineStylesForNode'),
  ...of('CSS', 'getMatchedStylesForNode getStyleSheetText stopRuleUsageTracking takeCoverageDelta'),
  ...of('Runtime', 'awaitPromise getExceptionDetails getProperties globalLexicalScopeNames queryObjects'),
  ...of('Page', 'captureSnapshot getAppManifest getNavigationHistory getResourceContent getResourceTree'),
  ...of('Profiler', 'getBestEffortCoverage takePreciseCoverage'),
  ...['DOMDebugger.getEventListeners', 'DOMSnapshot.captureSnapshot', 'DOMStorage.getDOMStorageItems'],
  ...['Accessibility.queryAXTree', 'Debugger.getScriptSource'],
];

/**
 * Methods that do not wait for control, and that change a page, its scripts or its requests, or read what a
 * page does not show.
 */
const CHANGES: readonly (readonly [method: string, params: object])[] = [
  ['Runtime.evaluate', { expression: 'document.title' }],
  ['Runtime.evaluate', { expression: 'document.title', throwOnSideEffect: true }],
  ['Runtime.callFunctionOn', { functionDeclaration: '() => 1', objectId: '1.1.1' }],
  ['Runtime.runScript', { scriptId: '1' }],
  ['Runtime.addBinding', { name: 'fetch' }],
  ['Page.addScriptToEvaluateOnNewDocument', { source: 'location = "/"' }],
  ['Page.addScriptToEvaluateOnNewDocument', { source: '//\u2028location = "/"' }],
  ['Page.addScriptToEvaluateOnNewDocument', {}],
  ['Page.setBypassCSP', { enabled: true }],
  ['Fetch.enable', {}],
  ['Fetch.continueRequest', { requestId: 'r' }],
  ['Fetch.continueResponse', { requestId: 'r' }],
  ['Fetch.continueWithAuth', { requestId: 'r' }],
  ['Fetch.failRequest', { requestId: 'r', errorReason: 'Failed' }],
  ['Fetch.fulfillRequest', { requestId: 'r', responseCode: 200 }],
  ['Emulation.setUserAgentOverride', { userAgent: 'a' }],
  ['Network.setUserAgentOverride', { userAgent: 'a' }],
  ['Input.setInterceptDrags', { enabled: true }],
  ['Network.emulateNetworkConditions', { offline: true }],
  ['Network.emulateNetworkConditionsByRule', {}],
  ['Network.loadNetworkResource', { url: 'https://example.com/' }],
  ['Network.overrideNetworkState', { offline: true }],
  ['Network.setBlockedURLs', { urls: ['*'] }],
  ['Network.setExtraHTTPHeaders', { headers: { a: 'b' } }],
  ['Network.setAcceptedEncodings', { encodings: [] }],
  ['Network.setBypassServiceWorker', { bypass: true }],
  ['Page.setFontFamilies', { fontFamilies: { standard: 'monospace' } }],
  ['Emulation.clearGeolocationOverride', {}],
  ['Emulation.clearIdleOverride', {}],
  ['Emulation.setAutoDarkModeOverride', { enabled: true }],
  ['Emulation.setAutomationOverride', { enabled: true }],
  ['Emulation.setDefaultBackgroundColorOverride', { color: { r: 255, g: 0, b: 0 } }],
  ['Emulation.setEmulatedMedia', { media: 'print' }],
  ['Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'dark' }] }],
  ['Emulation.setEmulatedVisionDeficiency', { type: 'blurredVision' }],
  ['Emulation.setGeolocationOverride', { latitude: 1, longitude: 2, accuracy: 3 }],
  ['Emulation.setHardwareConcurrencyOverride', { hardwareConcurrency: 1 }],
  ['Emulation.setIdleOverride', { isUserActive: false, isScreenUnlocked: false }],
  ['Emulation.setLocaleOverride', { locale: 'de-DE' }],
  ['Emulation.setScrollbarsHidden', { hidden: true }],
  ['Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' }],
  ['Emulation.setTouchEmulationEnabled', { enabled: true }],
  ['Network.setCacheDisabled', { cacheDisabled: true }],
  ['Page.setPrerenderingAllowed', { isAllowed: false }],
  ['HeapProfiler.collectGarbage', {}],
  ['Profiler.startPreciseCoverage', {}],
  ['CSS.startRuleUsageTracking', {}],
  ['Runtime.compileScript', { expression: '1', sourceURL: '', persistScript: true }],
  ...REVEALS.map((method) => [method, {}] as const),
];

/** Domains that clients enable for each page. Without an answer, they cannot open the page. */
const ENABLED = ['Audits', 'DOM', 'Log', 'Network', 'Page', 'Performance', 'Runtime'];

/** Opens a program with a page, without the role `control`. */
async function withoutControl(): Promise<RelayedProgram> {
  const program = await RelayedProgram.withPage();
  program.mayAct = false;
  return program;
}

let time: PassingTime;
beforeEach(() => (time = new PassingTime()));
afterEach(() => time.restore());

describe('a program without the role control', () => {
  for (const [method, params] of CHANGES)
    it(`may not call ${method} with ${JSON.stringify(params)}`, async () => {
      const program = await withoutControl();
      const sent = () => program.sentTo('A').filter((command) => command.method === method);
      const before = sent().filter(({ params: { requestId } }) => requestId === undefined).length;
      assert.match(await program.refusal(method, params, 'A'), /This needs the role control/);
      assert.equal(sent().filter(({ params: { requestId } }) => requestId === undefined).length, before);
      program.mayAct = true;
      assert.equal(await program.refusal(method, params, 'A'), 'nothing');
    });

  it('may read what a page shows', async () => {
    const program = await withoutControl();
    for (const method of ['Accessibility.getFullAXTree', 'Page.captureScreenshot', 'Page.printToPDF'])
      assert.equal(await program.refusal(method, {}, 'A'), 'nothing', method);
  });

  it('may connect with Playwright and Puppeteer, which add a script without code', async () => {
    const program = await withoutControl();
    for (const source of ['', '//# sourceURL=pptr:internal'])
      assert.equal(
        await program.refusal('Page.addScriptToEvaluateOnNewDocument', { source }, 'A'),
        'nothing',
      );
  });

  it('may connect with Playwright and Puppeteer, which set the emulation that a page already has', async () => {
    const program = await withoutControl();
    const features = [
      { name: 'prefers-color-scheme', value: 'light' },
      { name: 'prefers-reduced-motion', value: 'no-preference' },
      { name: 'forced-colors', value: 'none' },
      { name: 'prefers-contrast', value: '' },
    ];
    for (const [method, params] of [
      ['Emulation.setEmulatedMedia', { media: '', features }],
      ['Emulation.setTouchEmulationEnabled', { enabled: false }],
      ['Network.setCacheDisabled', { cacheDisabled: false }],
      ...ENABLED.map((domain) => [`${domain}.enable`, {}] as const),
    ] as const)
      assert.equal(await program.refusal(method, params, 'A'), 'nothing');
  });

  it('creates only a few isolated worlds, which take memory of a page', async () => {
    const program = await withoutControl();
    const names = new Set<unknown>();
    for (let world = 0; world < 100; world++)
      for (const method of ['Page.createIsolatedWorld', 'Page.addScriptToEvaluateOnNewDocument']) {
        const params = { frameId: 'F', source: '', worldName: `world ${world % 50}` };
        assert.equal(await program.refusal(method, params, 'A'), 'nothing');
        names.add(program.sentTo('A').at(-1)?.params['worldName']);
      }
    assert.equal(names.size, 21);
    program.mayAct = true;
    await program.ask({
      ...{ id: 1, method: 'Page.createIsolatedWorld', sessionId: 'A' },
      params: { frameId: 'F', worldName: 'new' },
    });
    assert.equal(program.sentTo('A').at(-1)?.params['worldName'], 'new');
  });

  it('does not turn off the touch screen of a session when it connects', async () => {
    const program = await withoutControl();
    const method = 'Emulation.setTouchEmulationEnabled';
    const [answer] = await program.ask({ id: 1, method, params: { enabled: false }, sessionId: 'A' });
    assert.deepEqual(answer?.result, {});
    assert.ok(!program.browser.methods.includes(method));
  });

  it('does not stop a target that waits for it', async () => {
    const program = await withoutControl();
    const resumes = (sessionId: string) =>
      program.sentTo(sessionId).filter(({ method }) => method === 'Runtime.runIfWaitingForDebugger').length;
    await program.attach('B', 'https://example.com/worker.js', 'worker', 'A');
    assert.equal(resumes('B'), 1, 'the worker runs');
    assert.ok(program.told.some(({ params }) => params?.sessionId === 'B'));
    program.mayAct = true;
    await program.attach('C', 'https://example.com/other.js', 'worker', 'A');
    assert.equal(resumes('C'), 0, 'a program with the role continues the target itself');
  });

  it('does not stop a request that waits for it, but may not change it', async () => {
    const program = await withoutControl();
    const changes = { requestId: 'r', responseCode: 200, body: 'c2VjcmV0' };
    for (const method of ['continueRequest', 'continueResponse', 'failRequest', 'fulfillRequest']) {
      const before = program.sentTo('A').length;
      assert.match(await program.refusal(`Fetch.${method}`, changes, 'A'), /the role control/);
      const sent = program.sentTo('A').slice(before);
      assert.deepEqual(
        sent.map((command) => [command.method, command.params]),
        [['Fetch.continueRequest', { requestId: 'r' }]],
      );
    }
  });

  it('receives only events about what a page shows', async () => {
    const program = await withoutControl();
    const told = async (method: string) => {
      program.browser.tell(method, { requestId: 'r' }, 'A');
      await settle();
      return program.told.some((message) => message.method === method);
    };
    const hidden = [
      ...of('Network', 'requestWillBeSent requestWillBeSentExtraInfo webSocketFrameSent'),
      ...['Runtime.consoleAPICalled', 'Log.entryAdded', 'DOM.setChildNodes', 'Audits.issueAdded'],
      ...['DOMStorage.domStorageItemAdded', 'Fetch.requestPaused', 'Debugger.scriptParsed'],
    ];
    for (const method of ['Page.loadEventFired', 'Accessibility.nodesUpdated'])
      assert.ok(await told(method), method);
    for (const method of hidden) assert.equal(await told(method), false, method);
    assert.equal(program.sentTo('A').at(-1)?.method, 'Fetch.continueRequest', 'no request waits for it');
    program.mayAct = true;
    for (const method of hidden) assert.ok(await told(method), method);
  });

  it('may not run a script that waited when it lost the role', async () => {
    const program = await RelayedProgram.withPage();
    let give: () => void = () => undefined;
    program.held = () => new Promise((resolve) => (give = resolve));
    const params = { expression: '1', userGesture: true };
    await program.ask({ id: 3, method: 'Runtime.evaluate', params, sessionId: 'A' });
    program.mayAct = false;
    const before = program.sentTo('A').length;
    give();
    await settle();
    assert.match(JSON.stringify(program.told.at(-1)), /the role control/);
    assert.equal(program.sentTo('A').length, before);
  });

  it('gets no answer of a script that still ran when it lost the role', async () => {
    const program = await RelayedProgram.withPage();
    const answerTo = async (method: string, params: object, result: object) => {
      program.mayAct = true;
      program.browser.silent = (command) => command.method === method;
      await program.ask({ id: 3, method, params, sessionId: 'A' });
      program.mayAct = false;
      const { id } = program.sentTo('A').at(-1) ?? assert.fail('The relay has sent nothing.');
      program.browser.say(JSON.stringify({ id, result, sessionId: 'A' }));
      await settle();
      return JSON.stringify(program.told.at(-1));
    };
    const secret = { result: { type: 'string', value: 'secret' } };
    const script = await answerTo('Runtime.evaluate', { expression: 'later', awaitPromise: true }, secret);
    assert.match(script, /"id":3.*the role control/);
    assert.doesNotMatch(script, /secret/);
    assert.doesNotMatch(await answerTo('Network.getCookies', {}, { cookies: ['secret'] }), /secret/);
    assert.match(await answerTo('Page.captureScreenshot', {}, { data: 'shown' }), /shown/);
    const done = await answerTo('Page.setBypassCSP', { enabled: true }, {});
    assert.match(done, /"result":\{\}/, 'a change that was made is not reported as refused');
  });
});

it('every method that changes a page or reads what it does not show needs the role control', () => {
  const named = new Set(CHANGES.map(([method]) => method));
  for (const [method, rule] of Object.entries(METHODS))
    if (rule.kind === 'forwarded' && rule.control === true) assert.ok(named.has(method), method);
});

it('a program with control turns off a touch screen only after it has turned it on', async () => {
  const program = await RelayedProgram.withPage();
  const method = 'Emulation.setTouchEmulationEnabled';
  const sent = async (enabled: boolean) => {
    const before = program.sentTo('A').length;
    const [answer] = await program.ask({ id: 1, method, params: { enabled }, sessionId: 'A' });
    assert.deepEqual(answer?.result, {});
    return program.sentTo('A').length > before;
  };
  assert.equal(await sent(false), false);
  assert.equal(await sent(true), true);
  assert.equal(await sent(false), true);
  assert.equal(await sent(false), false);
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ruleOf } from '../../../../server/src/host/features/automation/methods/method-table.js';
import { PassingTime } from '../../../fakes/passing-time.js';
import { RelayedProgram } from '../../../fakes/relayed-program.js';

/** Methods of a client, by the session in which it calls them. */
interface Client {
  browser: readonly string[];
  page: readonly string[];
  /** Methods that the session refuses with a reason. The client goes on without them. */
  refused: readonly string[];
}

const of = (domain: string, names: string): string[] => names.split(' ').map((name) => `${domain}.${name}`);

/**
 * The calls of clients for agents that speak the protocol themselves. The lists of Stagehand and
 * chrome-devtools-mcp are from their npm packages. The list of browser-use may be incomplete, because its
 * package is not on npm.
 */
const CLIENTS: Readonly<Record<string, Client>> = {
  'browser-use': {
    browser: [
      ...of(
        'Target',
        'activateTarget attachToTarget closeTarget createTarget detachFromTarget getTargetInfo',
      ),
      ...of('Target', 'getTargets setAutoAttach setDiscoverTargets'),
      ...of('Browser', 'getVersion getWindowForTarget setDownloadBehavior setWindowBounds'),
      ...of('Storage', 'clearCookies getCookies setCookies'),
    ],
    page: [
      ...of('Accessibility', 'enable getFullAXTree'),
      ...of('DOM', 'describeNode enable focus getAttributes getBoxModel getContentQuads getDocument'),
      ...of('DOM', 'getFrameOwner getNodeForLocation pushNodesByBackendIdsToFrontend querySelector'),
      ...of('DOM', 'querySelectorAll requestChildNodes resolveNode scrollIntoViewIfNeeded setFileInputFiles'),
      ...of('DOMDebugger', 'getEventListeners'),
      ...of('DOMSnapshot', 'captureSnapshot enable'),
      ...of('DOMStorage', 'disable enable getDOMStorageItems setDOMStorageItem'),
      ...of('Debugger', 'setSkipAllPauses'),
      ...of('Emulation', 'clearDeviceMetricsOverride setDeviceMetricsOverride setFocusEmulationEnabled'),
      ...of('Emulation', 'setGeolocationOverride setUserAgentOverride'),
      ...of('Fetch', 'continueRequest continueWithAuth disable enable failRequest'),
      ...of('Input', 'dispatchDragEvent dispatchKeyEvent dispatchMouseEvent insertText'),
      ...of('Network', 'enable getCookies getResponseBody setCacheDisabled setCookies setExtraHTTPHeaders'),
      ...of('Page', 'addScriptToEvaluateOnNewDocument bringToFront captureScreenshot enable getFrameTree'),
      ...of('Page', 'getLayoutMetrics getNavigationHistory handleJavaScriptDialog navigate'),
      ...of('Page', 'navigateToHistoryEntry printToPDF reload removeScriptToEvaluateOnNewDocument'),
      ...of(
        'Page',
        'setDownloadBehavior setInterceptFileChooserDialog setLifecycleEventsEnabled stopScreencast',
      ),
      ...of('Runtime', 'callFunctionOn enable evaluate getProperties releaseObject runIfWaitingForDebugger'),
      ...of('Storage', 'clearCookies getCookies setCookies'),
      ...of('Target', 'setAutoAttach'),
    ],
    refused: [...of('Browser', 'grantPermissions'), ...of('Page', 'screencastFrameAck startScreencast')],
  },
  'Stagehand 3.7': {
    browser: [
      ...of('Target', 'activateTarget attachToTarget closeTarget createTarget detachFromTarget getTargets'),
      ...of('Target', 'setAutoAttach setDiscoverTargets'),
      ...of('Browser', 'setDownloadBehavior'),
      ...of('Storage', 'clearCookies getCookies setCookies'),
    ],
    page: [
      ...of('Accessibility', 'enable getFullAXTree'),
      ...of(
        'DOM',
        'describeNode enable getBoxModel getDocument getFrameOwner getNodeForLocation querySelector',
      ),
      ...of('DOM', 'requestNode resolveNode scrollIntoViewIfNeeded setFileInputFiles'),
      ...of('Emulation', 'setDefaultBackgroundColorOverride setDeviceMetricsOverride setVisibleSize'),
      ...of('Fetch', 'continueRequest disable enable failRequest'),
      ...of('Input', 'dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent insertText'),
      ...of('Network', 'enable getResponseBody setExtraHTTPHeaders'),
      ...of('Overlay', 'enable hideHighlight'),
      ...of('Page', 'addScriptToEvaluateOnNewDocument bringToFront captureScreenshot createIsolatedWorld'),
      ...of('Page', 'enable getFrameTree getNavigationHistory navigate navigateToHistoryEntry reload'),
      ...of('Page', 'setLifecycleEventsEnabled'),
      ...of('Runtime', 'callFunctionOn enable evaluate releaseObject runIfWaitingForDebugger'),
      ...of('Target', 'setAutoAttach'),
    ],
    refused: [...of('Browser', 'grantPermissions'), ...of('Overlay', 'highlightNode')],
  },
  'chrome-devtools-mcp 1.11': {
    browser: [
      ...of('Target', 'activateTarget attachToTarget closeTarget createTarget getBrowserContexts getTargets'),
      ...of('Target', 'setAutoAttach setDiscoverTargets'),
      ...of('Browser', 'close getVersion setDownloadBehavior setWindowBounds'),
      ...of('Storage', 'getCookies setCookies'),
    ],
    page: [
      ...of('Accessibility', 'getFullAXTree queryAXTree'),
      ...of('Audits', 'enable'),
      ...of('Browser', 'getWindowForTarget'),
      ...of('CSS', 'enable getComputedStyleForNode getMatchedStylesForNode'),
      ...of('DOM', 'describeNode enable getContentQuads getDocument getFrameOwner'),
      ...of('DOM', 'pushNodesByBackendIdsToFrontend resolveNode scrollIntoViewIfNeeded setFileInputFiles'),
      ...of('DOMDebugger', 'getEventListeners'),
      ...of('Debugger', 'disable enable getScriptSource setAsyncCallStackDepth setSkipAllPauses'),
      ...of('Emulation', 'setEmulatedMedia setFocusEmulationEnabled setGeolocationOverride'),
      ...of('Emulation', 'setCPUThrottlingRate setTouchEmulationEnabled setUserAgentOverride'),
      ...of('Input', 'dispatchDragEvent dispatchKeyEvent dispatchMouseEvent dispatchTouchEvent insertText'),
      ...of('Log', 'enable'),
      ...of('Network', 'emulateNetworkConditionsByRule enable getResponseBody overrideNetworkState'),
      ...of('Network', 'getRequestPostData setCacheDisabled setExtraHTTPHeaders'),
      ...of('Page', 'addScriptToEvaluateOnNewDocument bringToFront captureScreenshot createIsolatedWorld'),
      ...of('Page', 'enable getFrameTree getLayoutMetrics getNavigationHistory handleJavaScriptDialog'),
      ...of('Page', 'navigate navigateToHistoryEntry reload setLifecycleEventsEnabled'),
      ...of('Performance', 'enable'),
      ...of('Runtime', 'addBinding callFunctionOn enable evaluate getExceptionDetails getProperties'),
      ...of('Runtime', 'releaseObject runIfWaitingForDebugger'),
      ...of('Target', 'setAutoAttach'),
    ],
    refused: [
      ...of('Emulation', 'setCPUThrottlingRate'),
      ...of('HeapProfiler', 'takeHeapSnapshot'),
      ...of('Page', 'startScreencast'),
      ...of('Target', 'createBrowserContext getDevToolsTarget'),
      ...of('Tracing', 'end start'),
    ],
  },
};

/** Parameters without which the relay refuses a method. */
const PARAMS: Readonly<Record<string, object>> = {
  'Browser.getWindowForTarget': { targetId: 'target-A' },
  'DOM.setFileInputFiles': { files: [] },
  'Emulation.setCPUThrottlingRate': { rate: 1 },
  'Target.activateTarget': { targetId: 'target-A' },
  'Target.attachToTarget': { targetId: 'target-A', flatten: true },
  'Target.closeTarget': { targetId: 'target-A' },
  'Target.createTarget': { url: 'about:blank' },
  'Target.detachFromTarget': { sessionId: 'A' },
  'Target.getTargetInfo': { targetId: 'target-A' },
  'Target.setAutoAttach': { autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
  'Target.setDiscoverTargets': { discover: true },
};

for (const [name, { browser, page, refused }] of Object.entries(CLIENTS))
  describe(`the calls of ${name}`, () => {
    for (const [methods, session] of [
      [browser, undefined],
      [page, 'A'],
    ] as const)
      for (const method of methods)
        it(`${method} works in the session of ${session ? 'a page' : 'the browser'}`, async () => {
          const time = new PassingTime();
          try {
            const program = await RelayedProgram.open();
            await program.attach('A', 'https://example.com/');
            assert.equal(await program.refusal(method, PARAMS[method] ?? {}, session), 'nothing');
          } finally {
            time.restore();
          }
        });

    for (const method of refused)
      it(`${method} is refused with a reason`, () => {
        const rule = ruleOf(method);
        assert.ok(rule.kind === 'refused' && !rule.reason.includes('does not know'), method);
      });
  });

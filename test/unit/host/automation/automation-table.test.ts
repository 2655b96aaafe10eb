import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  forbiddenAddress,
  isAllowedAddress,
} from '../../../../server/src/host/features/automation/commands/addresses.js';
import {
  isLarge,
  isUnknown,
  METHODS,
  REFUSED_DOMAINS,
  ruleOf,
} from '../../../../server/src/host/features/automation/methods/method-table.js';

/** Methods by which a program could reach beyond the pages of its session. */
const DANGEROUS = [
  'Browser.addPrivacySandboxEnrollmentOverride',
  'Browser.crash',
  'Browser.crashGpuProcess',
  'Browser.executeBrowserCommand',
  'Browser.getBrowserCommandLine',
  'Browser.getHistogram',
  'Browser.getHistograms',
  'Browser.grantPermissions',
  'Browser.setContentsSize',
  'Browser.setPermission',
  'Debugger.pause',
  'Debugger.setBreakpointByUrl',
  'DOM.getFileInfo',
  'Emulation.setCPUThrottlingRate',
  'Emulation.setEmitTouchEventsForMouse',
  'Emulation.setVirtualTimePolicy',
  'Extensions.clearStorageItems',
  'Extensions.getExtensions',
  'Extensions.getStorageItems',
  'Extensions.loadUnpacked',
  'Extensions.removeStorageItems',
  'Extensions.setStorageItems',
  'Extensions.triggerAction',
  'Extensions.uninstall',
  'FileSystem.getDirectory',
  'HeapProfiler.takeHeapSnapshot',
  'Input.setIgnoreInputEvents',
  'IO.resolveBlob',
  'Memory.forciblyPurgeJavaScriptMemory',
  'Memory.getDOMCounters',
  'Memory.prepareForLeakDetection',
  'Network.setCookieControls',
  'Network.setRequestInterception',
  'Page.addCompilationCache',
  'Page.crash',
  'Page.setSPCTransactionMode',
  'Page.setWebLifecycleState',
  'Page.startScreencast',
  'Page.waitForDebugger',
  'PWA.install',
  'Security.handleCertificateError',
  'Security.setIgnoreCertificateErrors',
  'Security.setOverrideCertificateErrors',
  'ServiceWorker.deliverPushMessage',
  'SystemInfo.getInfo',
  'SystemInfo.getProcessInfo',
  'Target.autoAttachRelated',
  'Target.createBrowserContext',
  'Target.disposeBrowserContext',
  'Target.exposeDevToolsProtocol',
  'Target.getDevToolsTarget',
  'Target.openDevTools',
  'Target.sendMessageToTarget',
  'Target.setRemoteLocations',
  'Tethering.bind',
  'Tracing.end',
  'Tracing.start',
  'WebAuthn.addVirtualAuthenticator',
];

/** Methods whose answers are as large as a program wants, beside scripts and documents. */
const LARGE = [
  'Accessibility.getChildAXNodes',
  'Accessibility.getPartialAXTree',
  'CSS.getComputedStyleForNode',
  'CSS.getMatchedStylesForNode',
  'CSS.stopRuleUsageTracking',
  'CSS.takeCoverageDelta',
  'DOM.describeNode',
  'DOM.getAttributes',
  'DOM.getSearchResults',
  'DOM.querySelectorAll',
  'DOM.requestChildNodes',
  'DOMDebugger.getEventListeners',
  'Debugger.getScriptSource',
  'IO.read',
  'Network.getAllCookies',
  'Network.getCookies',
  'Network.getRequestPostData',
  'Page.getAppManifest',
  'Page.getNavigationHistory',
  'Page.getResourceTree',
  'Profiler.getBestEffortCoverage',
  'Profiler.takePreciseCoverage',
  'Runtime.globalLexicalScopeNames',
  'Storage.getCookies',
];

describe('the table of methods for programs', () => {
  for (const method of LARGE)
    it(`paces ${method} by the time of its answers`, () => assert.equal(isLarge(method), true));

  for (const method of DANGEROUS) it(`refuses ${method}`, () => assert.equal(ruleOf(method).kind, 'refused'));

  it('refuses every method that it does not name, and marks it as unknown', () => {
    for (const method of [
      '',
      'x',
      'Page.newMethod',
      'constructor',
      '__proto__',
      'toString',
      'page.navigate',
    ]) {
      const rule = ruleOf(method);
      assert.equal(rule.kind, 'refused', method);
      assert.ok(isUnknown(rule), method);
    }
  });

  it('gives a reason for every refusal that it names', () => {
    for (const [method, rule] of Object.entries(METHODS))
      if (rule.kind === 'refused') assert.match(rule.reason, /^[A-Z].+\.$/, method);
    for (const [domain, reason] of Object.entries(REFUSED_DOMAINS))
      assert.match(reason, /^[A-Z].+\.$/, domain);
  });

  it('says what to do instead of granting permissions', () => {
    for (const method of ['Browser.grantPermissions', 'Browser.setPermission']) {
      const rule = ruleOf(method);
      const [, instead = ''] = (rule.kind === 'refused' && /use (\w+\.\w+) to/.exec(rule.reason)) || [];
      assert.equal(ruleOf(instead).kind, 'forwarded', method);
    }
    assert.equal(ruleOf('Browser.resetPermissions').kind, 'accepted');
  });

  it('lets input, navigation, dialogs and tabs wait for control, and reading go on', () => {
    const acts = ['Input.dispatchKeyEvent', 'Input.dispatchMouseEvent', 'Input.insertText', 'Page.navigate'];
    const more = ['Page.reload', 'Page.handleJavaScriptDialog', 'Target.createTarget', 'Target.closeTarget'];
    for (const method of [...acts, ...more, 'DOM.setFileInputFiles']) {
      const rule = ruleOf(method);
      assert.ok('acts' in rule && rule.acts === true, method);
    }
    for (const method of ['Page.captureScreenshot', 'DOM.getDocument', 'Network.enable']) {
      const rule = ruleOf(method);
      assert.ok('acts' in rule && rule.acts === false, method);
    }
    for (const method of ['Runtime.evaluate', 'Runtime.callFunctionOn']) {
      const rule = ruleOf(method);
      assert.ok('acts' in rule && rule.acts === 'gesture', method);
    }
  });
});

describe('an address of a program', () => {
  const refused = [
    'file:///etc/passwd',
    'FILE:///etc/passwd',
    'f\tile:///etc/passwd',
    'fi\nle:///etc/passwd',
    'fi\r\nle:///etc/passwd',
    ' file:///etc/passwd',
    '\u0000file:///etc/passwd',
    '\u0001\u001ffile:///etc/passwd',
    '\u00a0file:///etc/passwd',
    '\ufefffile:///etc/passwd',
    'file:/etc/passwd',
    'file:etc/passwd',
    'file://localhost/etc/passwd',
    'chrome://settings',
    'Chrome://version',
    'chrome:version',
    'chrome-untrusted://print',
    'chrome-search://local-ntp',
    'chrome-extension://abc/worker.js',
    'chrome-error://chromewebdata/',
    'devtools://devtools/bundled/inspector.html',
    'view-source:https://example.com',
    'view-source:file:///etc/passwd',
    'view-source:view-source:file:///etc/passwd',
    'VIEW-SOURCE:http://a/',
    'blob:file:///0a',
    'blob:chrome-extension://abc/0a',
    'filesystem:file:///temporary/a',
    'filesystem:chrome-extension://abc/temporary/a',
    'blob:blob:file:///a',
    'about:version',
    'about:settings',
    'about:newtab',
    'ABOUT:flags',
    'about:blank.evil',
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'ftp://example.com/',
    'content://media',
    'externalfile:drive/a',
    'isolated-app://abc',
    'mailto:a@b.c',
    'intent://x',
    'data-of-nobody:x',
  ];
  for (const address of refused)
    it(`is refused: ${JSON.stringify(address)}`, () => {
      assert.equal(isAllowedAddress(address), false);
      assert.equal(forbiddenAddress({ url: address }), address);
      assert.equal(forbiddenAddress({ urls: ['https://a/', address] }), address);
    });

  it('is refused in the JSON escapes of every spelling', () => {
    const escaped = JSON.parse('{"url":"\\u0066ile:///etc/passwd"}') as Record<string, unknown>;
    assert.equal(forbiddenAddress(escaped), 'file:///etc/passwd');
  });

  const allowed = [
    ...['http://example.com/', 'https://example.com/file:///etc', 'HTTPS://EXAMPLE.COM', 'about:blank'],
    ...['about:blank#a', 'about:srcdoc', 'data:text/html,file:', 'blob:https://example.com/0a', 'ws://a/'],
    ...['', '*', '*.png', 'example.com', '/path'],
  ];
  for (const address of allowed)
    it(`is allowed: ${JSON.stringify(address)}`, () => assert.equal(isAllowedAddress(address), true));
});

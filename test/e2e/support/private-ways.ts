import type { RawProgram, CdpAnswer } from './raw-program.js';

/** Text that a page shows only while its user is in privacy mode. */
export const PRIVATE = 'hunter2';

const call =
  (method: string, params: object = {}, where: 'page' | 'browser' = 'page') =>
  (program: RawProgram): Promise<CdpAnswer> =>
    program.send(method, params, where);
const targetOf = ({ events }: RawProgram): string =>
  events.find(({ method }) => method === 'Target.attachedToTarget')?.params?.targetInfo?.targetId ?? '';
const onTarget = (method: string) => (program: RawProgram) =>
  program.send(method, { targetId: targetOf(program), flatten: true }, 'browser');
const key = { type: 'keyDown', key: 'x', code: 'KeyX', text: 'x' };

/** Commands that reveal or disturb the actions of a user. */
export const CDP_WAYS: Readonly<Record<string, (program: RawProgram) => Promise<CdpAnswer>>> = {
  'a script': call('Runtime.evaluate', { expression: 'document.title' }),
  'a script with a user gesture': call('Runtime.evaluate', { expression: '1', userGesture: true }),
  'a world of its own': call('Page.createIsolatedWorld', { frameId: 'f' }),
  'a script for new documents': call('Page.addScriptToEvaluateOnNewDocument', { source: '1' }),
  'the document': call('DOM.getDocument', { depth: -1, pierce: true }),
  'a snapshot of the document': call('DOMSnapshot.captureSnapshot', { computedStyles: [] }),
  'the accessibility tree': call('Accessibility.getFullAXTree'),
  'a screenshot': call('Page.captureScreenshot'),
  'a PDF': call('Page.printToPDF'),
  'an archive': call('Page.captureSnapshot'),
  'the frames': call('Page.getFrameTree'),
  'the history': call('Page.getNavigationHistory'),
  'the size of the content': call('Page.getLayoutMetrics'),
  'the resources': call('Page.getResourceTree'),
  'the list of targets': call('Target.getTargets', {}, 'browser'),
  'the description of a target': onTarget('Target.getTargetInfo'),
  'another session with a target': onTarget('Target.attachToTarget'),
  'the window of a target': onTarget('Browser.getWindowForTarget'),
  'cookies of the page': call('Network.getCookies'),
  'cookies of the browser': call('Storage.getCookies', {}, 'browser'),
  'the storage': call('DOMStorage.getDOMStorageItems', { storageId: { isLocalStorage: true } }),
  'the network': call('Network.enable'),
  'interception of requests': call('Fetch.enable', { patterns: [{}] }),
  'the body of a response': call('Network.getResponseBody', { requestId: '1' }),
  'the console': call('Runtime.enable'),
  'the log': call('Log.enable'),
  'the measurements of the page': call('Performance.getMetrics'),
  'a key': call('Input.dispatchKeyEvent', key),
  'a press': call('Input.dispatchMouseEvent', { type: 'mousePressed', x: 9, y: 9, button: 'left' }),
  'inserted text': call('Input.insertText', { text: 'x' }),
  'a navigation': call('Page.navigate', { url: 'about:blank' }),
  'a reload': call('Page.reload'),
  'the answer to a dialog': call('Page.handleJavaScriptDialog', { accept: true }),
  'a new tab': call('Target.createTarget', { url: 'about:blank' }, 'browser'),
  'the end of a tab': onTarget('Target.closeTarget'),
  'another active tab': onTarget('Target.activateTarget'),
  'the front': call('Page.bringToFront'),
  'a file for a field': call('DOM.setFileInputFiles', { nodeId: 1, files: [] }),
};

/** Calls over HTTP and MCP that reveal or disturb the actions of a user. */
export const CALLS: readonly (readonly [method: string, fields: object])[] = [
  ['screenshot', {}],
  ['screenshot', { region: { x: 0, y: 0, width: 5, height: 5 } }],
  ['accessibility', {}],
  ['click', { x: 100, y: 100 }],
  ['click', { ref: 'e2' }],
  ['move', { x: 10, y: 10 }],
  [
    'drag',
    {
      path: [
        { x: 1, y: 1 },
        { x: 9, y: 9 },
      ],
    },
  ],
  ['type', { text: 'x' }],
  ['type', { ref: 'e2', text: 'x', submit: true }],
  ['key', { key: 'Enter' }],
  ['scroll', { x: 10, y: 10, delta_y: 100 }],
  ['set', { ref: 'e2', value: 'x' }],
  ['open', { url: 'https://example.com' }],
  ['open', { url: 'https://example.com', new_tab: true }],
  ['tabs', {}],
  ['tabs', { action: 'reload' }],
  ['tabs', { action: 'back' }],
  ['tabs', { action: 'close' }],
  ['files', {}],
  ['choose', { files: [] }],
  ['dialog', { accept: true }],
];

/** Activity of a page that programs could notice. */
export const ACTIVITY = `
  const secret = ${JSON.stringify(PRIVATE)};
  document.title = secret;
  history.pushState(0, '', '#' + secret);
  console.log(secret);
  localStorage.setItem(secret, secret);
  document.cookie = 'name=' + secret;
  void fetch('/nowhere?' + secret, { method: 'POST', body: secret });
  const inner = document.body.appendChild(document.createElement('iframe'));
  inner.src = '/opener.html?' + secret;
  const link = document.createElement('a');
  link.download = secret + '.txt';
  link.href = URL.createObjectURL(new Blob([secret]));
  link.click();
  open('/opener.html?popup=' + secret, secret, 'width=300,height=200');
  setTimeout(() => { throw new Error(secret); });`;

import type { CdpAnswer, RawProgram } from './raw-program.js';

/** Text in the masked fields of a page, which a program must not read. */
export const SECRET = 'hunter2';

/** A way of a program to a masked field. Resolves to the answer of the browser or of the session. */
export type CdpWay = (program: RawProgram) => Promise<CdpAnswer>;

const call =
  (method: string, params: object = {}): CdpWay =>
  (program) =>
    program.send(method, params);
const value = `document.getElementById('plain').value`;
const evaluate = (expression: string) => call('Runtime.evaluate', { expression, returnByValue: true });

/** Returns the id of the page's main frame, which every program may know. */
async function frameOf(program: RawProgram): Promise<string> {
  const { result } = await program.send('Page.getFrameTree');
  return (result as { frameTree: { frame: { id: string } } } | undefined)?.frameTree.frame.id ?? '';
}

/** Returns the id of a world of the program's own in the page. */
async function worldOf(program: RawProgram): Promise<unknown> {
  const frameId = await frameOf(program);
  const params = { frameId, worldName: 'mine', grantUniveralAccess: true };
  return (await program.send('Page.createIsolatedWorld', params)).result?.['executionContextId'];
}

/** Ways to read the secret. With the role, each answer has it. */
export const READS: Readonly<Record<string, CdpWay>> = {
  'a script in the page': evaluate(value),
  'a script with a user gesture': call('Runtime.evaluate', { expression: value, userGesture: true }),
  'a script in a world of its own': async (program) =>
    program.send('Runtime.evaluate', { expression: value, contextId: await worldOf(program) }),
  'a function in a world of its own': async (program) =>
    program.send('Runtime.callFunctionOn', {
      functionDeclaration: `() => ${value}`,
      executionContextId: await worldOf(program),
    }),
  'a copy of the element': evaluate(
    `[...document.querySelectorAll('input')].map((field) => field.cloneNode().value).join()`,
  ),
  'a closed shadow tree': call('DOM.getDocument', { depth: -1, pierce: true }),
  'a script in a frame of another origin': (program) => {
    const id = program.sessionOf(({ type }) => type === 'iframe') ?? '';
    return program.send('Runtime.evaluate', { expression: 'field.value' }, { id });
  },
  'a compiled script': async (program) => {
    const params = { expression: value, sourceURL: '', persistScript: true };
    const compiled = await program.send('Runtime.compileScript', params);
    const scriptId = compiled.result?.['scriptId'];
    return scriptId === undefined ? compiled : program.send('Runtime.runScript', { scriptId });
  },
  'the HTML of the page': async (program) => {
    const read = await program.send('DOM.getDocument', { depth: 1 });
    const { root } = (read.result ?? { root: { nodeId: 1 } }) as { root: { nodeId: number } };
    return program.send('DOM.getOuterHTML', { nodeId: root.nodeId });
  },
  'a snapshot of the document': call('DOMSnapshot.captureSnapshot', { computedStyles: [] }),
  'the accessibility tree': call('Accessibility.getFullAXTree'),
  'the storage of the page': async (program) =>
    program.send('DOMStorage.getDOMStorageItems', {
      storageId: {
        isLocalStorage: true,
        securityOrigin: new URL(program.url).origin,
      },
    }),
};

/** Further ways to read. Their answers are pictures, or the session refuses them to everybody. */
export const OTHER_READS: Readonly<Record<string, CdpWay>> = {
  'a screenshot': call('Page.captureScreenshot'),
  'a part of a screenshot': call('Page.captureScreenshot', {
    clip: { x: 0, y: 0, width: 400, height: 400, scale: 1 },
    captureBeyondViewport: true,
  }),
  'a screencast': call('Page.startScreencast'),
  'a PDF': call('Page.printToPDF'),
  'an archive': call('Page.captureSnapshot'),
  'a search': call('DOM.performSearch', { query: SECRET }),
  'the properties of an object': call('Runtime.getProperties', { objectId: '1' }),
  'all objects of a class': call('Runtime.queryObjects', { prototypeObjectId: '1' }),
  'a snapshot of the heap': call('HeapProfiler.takeHeapSnapshot'),
  'a breakpoint': call('Debugger.enable'),
  'a call frame': call('Debugger.evaluateOnCallFrame', { callFrameId: '1', expression: value }),
  'interception of requests': call('Fetch.enable', { patterns: [{}] }),
  'the body of a request': call('Network.getRequestPostData', { requestId: '1' }),
  'the body of a response': call('Network.getResponseBody', { requestId: '1' }),
  'a resource of the page': call('Page.getResourceContent', { frameId: 'f', url: 'x' }),
  'computed styles': call('CSS.getComputedStyleForNode', { nodeId: 1 }),
  'listeners of an element': call('DOMDebugger.getEventListeners', { objectId: '1' }),
  'a binding': call('Runtime.addBinding', { name: 'tell' }),
  'a script for new documents': call('Page.addScriptToEvaluateOnNewDocument', {
    source: `console.log(${value})`,
    runImmediately: true,
  }),
  'an address with a script': call('Page.navigate', { url: `javascript:alert(${value})` }),
  autofill: call('Autofill.trigger', { fieldId: 1 }),
  'the developer tools': call('Target.openDevTools', { targetId: '1' }),
};

const key = (type: string, more: object) => call('Input.dispatchKeyEvent', { type, ...more });
const mouse = (type: string) => call('Input.dispatchMouseEvent', { type, x: 170, y: 75, button: 'left' });
const data = { items: [{ mimeType: 'text/plain', data: 'x' }], dragOperationsMask: 1 };

/** Ways to change a masked field, which has the focus. */
export const WRITES: Readonly<Record<string, CdpWay>> = {
  'a key': key('keyDown', { key: 'x', code: 'KeyX', text: 'x' }),
  'a character': key('char', { text: 'x' }),
  'paste by a key': key('keyDown', { key: 'v', code: 'KeyV', modifiers: 2, commands: ['paste'] }),
  'an editing command': key('rawKeyDown', { key: 'a', commands: ['selectAll', 'deleteBackward'] }),
  'inserted text': call('Input.insertText', { text: 'x' }),
  'an input method': call('Input.imeSetComposition', { text: 'x', selectionStart: 1, selectionEnd: 1 }),
  'a press': mouse('mousePressed'),
  'the wheel': call('Input.dispatchMouseEvent', { type: 'mouseWheel', x: 170, y: 115, deltaX: 0, deltaY: 9 }),
  'a finger': call('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 170, y: 75 }] }),
  'a tap': call('Input.synthesizeTapGesture', { x: 35, y: 195 }),
  'a drop': call('Input.dispatchDragEvent', { type: 'drop', x: 170, y: 75, data }),
  'a script that writes': evaluate(`${value} = 'x'`),
  'an attribute': call('DOM.setAttributeValue', { nodeId: 1, name: 'value', value: 'x' }),
  'another class of the element': call('DOM.setAttributesAsText', { nodeId: 1, text: 'class="open"' }),
  'the removal of the element': call('DOM.removeNode', { nodeId: 1 }),
  'other HTML': call('DOM.setOuterHTML', { nodeId: 1, outerHTML: '<input id="plain">' }),
  'another document': async (program) =>
    program.send('Page.setDocumentContent', { frameId: await frameOf(program), html: '<input>' }),
  'the focus': call('DOM.focus', { nodeId: 1 }),
  'a file': call('DOM.setFileInputFiles', { nodeId: 1, files: ['x'] }),
  'a page without scripts': call('Emulation.setScriptExecutionDisabled', { value: true }),
  'an item of the storage': call('DOMStorage.setDOMStorageItem', { storageId: {}, key: 'a', value: 'x' }),
};

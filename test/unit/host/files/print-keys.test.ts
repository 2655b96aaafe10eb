import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { PrintHook } from '../../../../server/src/host/browser/files/print-hook.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { settle } from '../../../fakes/passing-time.js';

type Listener = (event: object) => void;

/** Listeners on the window of the page, in their order, those of the host too. */
let listeners: { type: string; listener: Listener; capture: boolean }[];
let prints: number;

const listen = (type: string, listener: Listener, capture = false) =>
  void listeners.push({ type, listener, capture });
const forget = (type: string, listener: Listener, capture = false) => {
  listeners = listeners.filter(
    (one) => one.type !== type || one.listener !== listener || one.capture !== capture,
  );
};

/** Presses a key with Control. Returns true if the browser's own action was prevented. */
function press(key: string): boolean {
  const modifiers = { ctrlKey: true, altKey: false, shiftKey: false, metaKey: false };
  const event = {
    ...{ key, isTrusted: true, defaultPrevented: false, ...modifiers },
    preventDefault: () => void (event.defaultPrevented = true),
  };
  for (const capture of [true, false])
    for (const one of listeners.filter((heard) => heard.type === 'keydown' && heard.capture === capture))
      one.listener(event);
  return event.defaultPrevented;
}

beforeEach(async () => {
  [listeners, prints] = [[], 0];
  const browser = new FakeBrowser(false);
  new PrintHook().follow(browser.cdp.browser, browser.cdp.browser, () => undefined);
  await settle();
  const sent = (name: string) => browser.commands.filter(({ method }) => method === name);
  const script = sent('Page.addScriptToEvaluateOnNewDocument').find(({ params }) => 'worldName' in params);
  let time = 0;
  const page = createContext({
    ...{ origin: 'https://example.com', location: { ancestorOrigins: [] } },
    ...{ document: { contentType: 'text/html' }, self: {}, top: {} },
    ...{ addEventListener: listen, removeEventListener: forget, clearTimeout: () => undefined },
    performance: { now: () => (time += 1_000) },
    [String(sent('Runtime.addBinding')[0]?.params['name'])]: () => void (prints += 1),
  });
  runInContext(String(script?.params['source']), page);
});

describe('Control with P or S', () => {
  it('prints the page', () => {
    assert.equal(press('p'), true, 'the browser itself does nothing');
    press('S');
    press('a');
    assert.equal(prints, 2);
  });

  it('prints nothing if the page handles it, also in a listener on the window', () => {
    listen('keydown', (event) => {
      if ('preventDefault' in event && typeof event.preventDefault === 'function') event.preventDefault();
    });
    for (const key of ['p', 's', 'p']) press(key);
    assert.equal(prints, 0);
  });
});

import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { guardPage } from '../../../../server/src/host/browser/pages/guard/page-guard.js';
import { FakeBrowser } from '../../../fakes/fake-browser.js';
import { settle } from '../../../fakes/passing-time.js';

/** A page, after the scripts that the host adds to its own world. */
let page: object;
const run = (expression: string): unknown => runInContext(expression, page);
const outcomeOf = (call: string) =>
  run(`container.${call}.then((value) => value, ({ name, message }) => name + ': ' + message)`);

beforeEach(async () => {
  const browser = new FakeBrowser(false);
  guardPage(browser.cdp.browser, false, () => undefined);
  await settle();
  page = createContext({});
  run(`class CredentialsContainer {
    create() { return Promise.resolve(this === container && 'created ' + arguments.length); }
    get() { return Promise.resolve('got'); }
    store() { return Promise.resolve('stored'); }
  }
  class DOMException extends Error {
    constructor(message, name) { super(message); this.name = name; }
  }
  globalThis.CredentialsContainer = CredentialsContainer;
  globalThis.DOMException = DOMException;
  globalThis.container = new CredentialsContainer();`);
  for (const { method, params } of browser.commands)
    if (method === 'Page.addScriptToEvaluateOnNewDocument' && params['worldName'] === undefined)
      run(String(params['source']));
});

describe('a page that requests a passkey without a look for PublicKeyCredential', () => {
  for (const call of ['create', 'get'])
    it(`is refused at once: ${call}`, async () => {
      const refusal = 'NotAllowedError: This browser has no authenticator.';
      assert.equal(await outcomeOf(`${call}({ publicKey: {} })`), refusal);
    });

  it('may request other credentials', async () => {
    assert.equal(await outcomeOf('create({ password: {} }, 2)'), 'created 2');
    assert.equal(await outcomeOf('get()'), 'got');
    assert.equal(await outcomeOf('store({})'), 'stored');
  });

  it('is refused also after it has replaced functions of the language', async () => {
    run('Promise.reject = Reflect.apply = () => { throw new Error("replaced"); }');
    assert.match(String(await outcomeOf('get({ publicKey: {} })')), /^NotAllowedError/);
    assert.equal(await outcomeOf('get({})'), 'got');
  });
});

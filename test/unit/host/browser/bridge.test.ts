import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { Bridge } from '../../../../server/src/host/browser/bridge/bridge.js';
import { CdpConnection } from '../../../../server/src/host/browser/cdp/cdp-connection.js';

interface Command {
  id: number;
  method: string;
  params: Record<string, unknown>;
  sessionId?: string;
}

/** A browser with the extension, whose worker can end. */
class FakeBrowser {
  readonly #toBrowser = new PassThrough();
  readonly #fromBrowser = new PassThrough();
  readonly cdp = new CdpConnection(this.#toBrowser, this.#fromBrowser);
  readonly expressions: string[] = [];
  loads = 0;
  attached = 0;
  /** Calls are left without an answer. */
  silent = false;
  /** The extension cannot be loaded. */
  refuses = false;

  constructor() {
    this.#toBrowser.on('data', (data: Buffer) => {
      for (const text of data.toString().split('\0').filter(Boolean)) this.#take(JSON.parse(text) as Command);
    });
  }

  /** Sends an event on the newest session. */
  tell(method: string, params: object = {}): void {
    this.#say({ method, params, sessionId: `session-${this.attached}` });
  }

  #take(command: Command): void {
    const { id, method, params } = command;
    const expression = String(params['expression']);
    if (method === 'Runtime.evaluate') {
      if (this.silent && expression !== 'typeof bridge') return;
      if (expression !== 'typeof bridge') this.expressions.push(expression);
    }
    if (this.refuses && method === 'Extensions.loadUnpacked')
      this.#say({ id, error: { message: 'Not now.' } });
    else this.#say({ id, result: this.#result(method, expression) });
  }

  #result(method: string, expression: string): object {
    switch (method) {
      case 'Extensions.loadUnpacked':
        this.loads += 1;
        return { id: 'abc' };
      case 'Target.getTargets':
        return { targetInfos: [{ targetId: 'worker', url: 'chrome-extension://abc/worker.js' }] };
      case 'Target.attachToTarget':
        return { sessionId: `session-${++this.attached}` };
      case 'Runtime.evaluate':
        return { result: { value: expression === 'typeof bridge' ? 'object' : 'answer' } };
      default:
        return {};
    }
  }

  #say(message: object): void {
    queueMicrotask(() => this.#fromBrowser.write(`${JSON.stringify(message)}\0`));
  }
}

let browser: FakeBrowser;
let bridge: Bridge;
beforeEach(() => {
  browser = new FakeBrowser();
  bridge = new Bridge(browser.cdp);
});

const settled = async () => {
  for (let count = 0; count < 20; count++) await turn();
};

describe('the extension bridge', () => {
  it('is loaded with the first call and stays attached', async () => {
    assert.equal(browser.loads, 0);
    assert.equal(await bridge.call('callTabs', 'query', [{}]), 'answer');
    await bridge.call('callTabs', 'get', [1]);
    assert.deepEqual([browser.loads, browser.attached], [1, 1]);
  });

  it('passes arguments as data, whatever their keys are', async () => {
    const args = [JSON.parse('{"__proto__": {"a": "\'\\""}}')] as unknown[];
    await bridge.call('callTabs', 'query', args);
    const [expression = ''] = browser.expressions;
    const seen: unknown[] = [];
    const worker = { callTabs: (...given: unknown[]) => seen.push(...given) };
    // Runs the expression as the worker does.
    runInNewContext(expression, { bridge: worker });
    assert.equal(JSON.stringify(seen), JSON.stringify(['query', args]));
  });

  it('forwards events of its worker', async () => {
    const seen: unknown[] = [];
    bridge.onEvent = (event) => seen.push(event);
    await bridge.open();
    const payload = JSON.stringify({ name: 'tabs.onMoved', args: [1] });
    browser.tell('Runtime.bindingCalled', { name: 'tellSession', payload });
    browser.tell('Runtime.bindingCalled', { name: 'other', payload });
    await settled();
    assert.deepEqual(seen, [{ name: 'tabs.onMoved', args: [1] }]);
  });

  it('restarts a worker that ended, rejects its pending calls, and reports it', async () => {
    let reopened = 0;
    bridge.onReopened = () => (reopened += 1);
    await bridge.open();
    browser.silent = true;
    const lost = assert.rejects(bridge.call('callTabs', 'query', [{}]), /the worker ended/);
    await settled();
    browser.silent = false;
    browser.tell('Inspector.targetCrashed');
    await lost;
    await settled();
    assert.deepEqual([browser.loads, browser.attached, reopened], [2, 2, 1]);
    assert.equal(await bridge.call('callTabs', 'query', [{}]), 'answer');
  });

  it('reports a restart that succeeds only with a later call', async () => {
    let reopened = 0;
    bridge.onReopened = () => (reopened += 1);
    await bridge.open();
    browser.refuses = true;
    browser.tell('Inspector.targetCrashed');
    await settled();
    await assert.rejects(bridge.call('callTabs', 'query', [{}]), /Not now/);
    assert.equal(reopened, 0);
    browser.refuses = false;
    assert.equal(await bridge.call('callTabs', 'query', [{}]), 'answer');
    await bridge.call('callTabs', 'get', [1]);
    assert.equal(reopened, 1);
  });
});

import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import Hyperbeam, { getRegionInfo } from '@hyperbeam/web/index.js';

const EMBED_URL = 'https://browser.example.com/D2sqUnpBTB6dWy9qHww7fQ?token=t';
/** All values that the client reads before it has loaded the module. */
const container = { shadowRoot: {} } as HTMLDivElement;
/** The client's only network. It answers, fails or waits, and records the requests. */
let asked: string[] = [];
function network(answer: (signal: AbortSignal) => Promise<Response>, onLine = true): void {
  asked = [];
  // A replacement of a replacement would be restored to the first one.
  mock.restoreAll();
  mock.method(globalThis, 'fetch', (address: string, { signal }: RequestInit = {}) => {
    asked.push(address);
    return answer(signal ?? new AbortController().signal);
  });
  Object.defineProperty(globalThis, 'navigator', { value: { onLine }, configurable: true });
}
const had = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
afterEach(() => {
  mock.restoreAll();
  if (had) Object.defineProperty(globalThis, 'navigator', had);
  else Reflect.deleteProperty(globalThis, 'navigator');
});

const failing = () => Promise.reject(new TypeError('fetch failed'));
const silent = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
  });

describe('the public client from npm', () => {
  // Proves: client getRegionInfo
  it("requests the user's location from the vendor", async () => {
    network(() => Promise.resolve(Response.json({ region: 'NA' })));
    await getRegionInfo();
    assert.deepEqual(
      asked.map((address) => new URL(address).hostname),
      ['region.hyperbeam.com'],
    );
  });

  // Proves: client FailedToLoadError; client OfflineError; client TimedOutError
  // Proves: client SessionTerminatedError
  it('reports why it could not load, with requests only to the service', async () => {
    const cases = [
      ['FailedToLoadError', failing, true, 2],
      ['OfflineError', failing, false, 1],
      ['TimedOutError', silent, true, 2],
      ['SessionTerminatedError', () => Promise.resolve(new Response('', { status: 400 })), true, 1],
    ] as const;
    for (const [name, answer, onLine, attempts] of cases) {
      network(answer, onLine);
      await assert.rejects(Hyperbeam(container, EMBED_URL, { timeout: 50 }), { name });
      assert.deepEqual(asked, Array<string>(attempts).fill(`${EMBED_URL}&no_cbor=1`), name);
    }
  });
});

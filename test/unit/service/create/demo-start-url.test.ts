import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startUrl } from '../../../../demo/session/start-url.js';
import { normalizeStartUrl } from '../../../../server/src/sessions/settings/start-url.js';

describe("a typed address in the demo's forms", () => {
  for (const [typed, address] of [
    ['example.com', 'https://example.com/'],
    ['example.com/path?x=1', 'https://example.com/path?x=1'],
    ['example.com:443/x', 'https://example.com/x'],
    ['example.com:80', 'http://example.com/'],
    ['example.com:8443', 'http://example.com:8443/'],
    ['127.0.0.1:8114/type', 'http://127.0.0.1:8114/type'],
    ['192.168.0.7/a', 'http://192.168.0.7/a'],
    ['[::1]/a', 'http://[::1]/a'],
    ['[::1]:8080', 'http://[::1]:8080/'],
    ['localhost', 'http://localhost/'],
    ['localhost:3000/x', 'http://localhost:3000/x'],
    ['https://127.0.0.1:8114/type', 'https://127.0.0.1:8114/type'],
    ['http://example.com', 'http://example.com/'],
    ['about:newtab', 'about:newtab'],
  ] as const)
    it(`is completed as the service completes it: ${typed}`, () => {
      assert.equal(startUrl(typed), address);
      assert.equal(normalizeStartUrl(typed), address);
    });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMcpSettings } from '../../../../server/src/config/mcp-target.js';

const address = (url: string) => ({ CLOUD_BROWSER_URL: url, CLOUD_BROWSER_API_KEY: 'key' });

describe('the address for the command mcp', () => {
  it('is used without its query and its last slash', () => {
    const settings = readMcpSettings(address('https://browsers.example/path/?token=a'));
    assert.deepEqual(settings, { service: 'https://browsers.example/path', apiKey: 'key' });
  });

  for (const url of ['localhost:8080', 'browsers.example', 'file:///tmp', ''])
    it(`must begin with http or https: ${JSON.stringify(url)}`, () => {
      assert.throws(() => readMcpSettings(address(url)), { code: 'err_mcp_settings', message: /http:\/\// });
    });
});

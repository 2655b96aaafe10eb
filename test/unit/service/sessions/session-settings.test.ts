import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceError } from '../../../../server/src/service-error.js';
import { normalizeStartUrl } from '../../../../server/src/sessions/settings/start-url.js';

describe('a start address', () => {
  // Proves: start_url
  it('can be http, https, about: or a bare domain', () => {
    const cases: [string, string][] = [
      ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
      [' http://example.com ', 'http://example.com/'],
      ['HTTPS://EXAMPLE.com', 'https://example.com/'],
      ['about:blank', 'about:blank'],
      ['about:newtab', 'about:newtab'],
      ['chrome://newtab', 'about:newtab'],
      ['chrome://newtab/', 'about:newtab'],
      [' Chrome://NewTab/ ', 'about:newtab'],
      ['\tCHROME://NEW-TAB-PAGE\n', 'about:newtab'],
      ['chrome://new-tab-page/', 'about:newtab'],
      ['chrome://new-tab-page-third-party', 'about:newtab'],
      ['chrome:newtab', 'about:newtab'],
      ['chrome://newtab/?a=1#b', 'about:newtab'],
      ['about:NewTab', 'about:newtab'],
      ['ABOUT:NEWTAB/', 'about:newtab'],
      ['about://newtab', 'about:newtab'],
      ['example.com', 'https://example.com/'],
      ['example.com/path?x=1', 'https://example.com/path?x=1'],
      ['localhost:3000/x', 'http://localhost:3000/x'],
      ['example.com:443/x', 'https://example.com/x'],
      ['example.com:8443', 'http://example.com:8443/'],
      ['192.0.2.1/a', 'http://192.0.2.1/a'],
      ['[2001:db8::1]', 'http://[2001:db8::1]/'],
      ['bücher.example', 'https://xn--bcher-kva.example/'],
    ];
    for (const [text, address] of cases) assert.equal(normalizeStartUrl(text), address);
  });

  // Proves: start_url
  it('cannot reach into the machine or the browser', () => {
    const refused = [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'javascript:0',
      'data:1',
      'JavaScript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,x',
      'chrome://settings',
      'chrome:settings',
      'CHROME://VERSION/',
      'chrome://newtab/path',
      'chrome://newtab.example',
      'chrome://newtab@settings',
      'chrome://newtab/../settings',
      'chrome://newtabs',
      'chrome://new-tab',
      'chrome://new\ttab',
      'chrome://',
      'chrome:',
      'chrome-untrusted://new-tab-page/',
      'chrome-search://local-ntp',
      'view-source:chrome://newtab',
      'view-source:https://example.com',
      'devtools://devtools',
      'blob:https://example.com/x',
      'ftp://example.com',
      ' ',
      'https://',
      'two words',
      '/',
      '/etc/passwd',
      '//example.com',
      '?a',
      '#a',
      '.',
    ];
    for (const text of refused) assert.throws(() => normalizeStartUrl(text), ServiceError, text);
  });

  it('of an internal page is refused with a list of the allowed addresses', () => {
    assert.throws(() => normalizeStartUrl('chrome://settings'), {
      code: 'err_invalid_parameter',
      message: 'start_url must be an http, https or about: address, chrome://newtab, or a domain.',
    });
  });
});

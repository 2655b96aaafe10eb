import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { HostSession } from '../../../../server/src/host-protocol.js';
import { ApiCaller, codeOf } from '../../../fakes/api-caller.js';
import { NOWHERE } from '../../../fakes/fake-host-pool.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
let api: ApiCaller;
beforeEach(async () => {
  service = await createTestService({ maxSessions: 100 });
  api = new ApiCaller(service);
});
afterEach(() => service.close());

const PROFILE = '4f1d1c1a-0000-4000-8000-000000000000';
const SMALL = { width: 640, height: 360 };
const PROXY = { pac: 'https://example.com/proxy.pac', username: 'u', password: 'p' };
const WIKI = { name: 'Wiki', keyword: 'w', url: 'https://example.com/?s={searchTerms}' };
const ECOSIA = {
  ...{ name: 'Ecosia', keyword: 'ecosia.org', url: 'https://www.ecosia.org/search?q={searchTerms}' },
  suggestionsUrl: 'https://ac.ecosia.org/autocomplete?q={searchTerms}&type=list',
};

describe('a creation parameter sent to the session host', () => {
  const cases: [name: string, parameters: object, expected: Partial<HostSession>][] = [
    ['start_url', { start_url: 'example.com' }, { startUrl: 'https://example.com/' }],
    ['kiosk', { kiosk: true }, { kiosk: true }],
    ['hide_cursor', { hide_cursor: true }, { hideCursor: true }],
    ['touch_gestures', { touch_gestures: { swipe: true } }, { touchGestures: { swipe: true, pinch: false } }],
    ['its pinch', { touch_gestures: { pinch: true } }, { touchGestures: { swipe: false, pinch: true } }],
    ['adblock', { adblock: true }, { adblock: true }],
    ['ublock, its old name', { ublock: true }, { adblock: true }],
    ['ublock together with adblock', { ublock: true, adblock: false }, { adblock: true }],
    ['draw', { draw: true }, { draw: true }],
    ['webgl', { webgl: true }, { webgl: true }],
    ['dark', { dark: true }, { dark: true }],
    ['standby', { standby: true }, { standby: true }],
    ['width and height', { width: 1108, height: 831 }, { width: 1108, height: 831, maxArea: 1280 * 720 }],
    ['pixel_ratio', { ...SMALL, pixel_ratio: 2 }, { pixelRatio: 2, followsRatio: false }],
    [
      'the default max_area with pixel_ratio',
      { ...SMALL, pixel_ratio: 1.25 },
      { maxArea: 921_600 * 1.25 ** 2 },
    ],
    ['pixel_ratio: auto', { pixel_ratio: 'auto' }, { pixelRatio: 1, followsRatio: true, maxArea: 2_073_600 }],
    ['max_area', { width: 640, height: 480, max_area: 2_073_600 }, { maxArea: 2_073_600 }],
    ['fps', { fps: 60 }, { fps: 60 }],
    ['user_agent', { user_agent: 'chrome_android' }, { userAgent: 'chrome_android' }],
    ['quality.mode', { quality: { mode: 'sharp' } }, { quality: 'sharp' }],
    [
      'locale',
      { locale: { language: 'en;q=0.5, de-ch, *;q=0.1', country: 'ch' } },
      { locale: { languages: ['de-CH', 'en'], country: 'CH' } },
    ],
    ['http_proxy', { http_proxy: PROXY }, { httpProxy: PROXY }],
    ['search_engine by name', { search_engine: 'ecosia' }, { searchEngine: ECOSIA }],
    ['a custom search_engine', { search_engine: WIKI }, { searchEngine: WIKI }],
    ['profile: true', { profile: true }, { keepProfile: true, restoreTabs: false }],
    ['profile: false', { profile: false }, { keepProfile: false, restoreTabs: false }],
    ['profile: an id', { profile: PROFILE }, { keepProfile: true, restoreTabs: true }],
    ['start_url with a profile', { profile: PROFILE, start_url: 'about:blank' }, { restoreTabs: false }],
    ['profile.load alone', { profile: { load: PROFILE } }, { keepProfile: false, restoreTabs: true }],
  ];
  for (const [name, parameters, expected] of cases) {
    it(name, async () => {
      service.profiles.known.add(PROFILE);
      await api.begin(parameters);
      const session: Record<string, unknown> = { ...service.pool.last.session };
      for (const [key, value] of Object.entries(expected)) assert.deepEqual(session[key], value, key);
    });
  }
});

// Proves: every wrong value is explained
describe('an invalid creation parameter', () => {
  const cases: [parameters: object, message: RegExp][] = [
    [{ max_area: 'all' }, /^max_area must be a number\.$/],
    ...['fine', 0, -1, true, [2], { of: 2 }].map((pixel_ratio): [object, RegExp] => [
      { pixel_ratio },
      /^pixel_ratio must be a number from 1 to 3, or auto\.$/,
    ]),
    [{ width: 0, height: 720 }, /^width must be a number of pixels above 0\.$/],
    [{ width: 1920, height: 1081 }, /^width x height must be at most 2073600 pixels in total/],
    [{ touch_gestures: { swipe: 2 } }, /^touch_gestures\.swipe must be true or false\.$/],
    [{ touch_gestures: true }, /^touch_gestures must be a JSON object with fields out of swipe, pinch\.$/],
    [{ region: ['NA'] }, /^region must be a text of 1 to 256 characters\.$/],
    [{ search_engine: 'bing' }, /^search_engine must be one of duckduckgo, .*brave, or an object/],
    [{ search_engine: { name: 'x' } }, /^search_engine must be one of .* or an object with url/],
    [{ search_engine: { url: 'https://x.example/' } }, /^search_engine\.url must be .*\{searchTerms\}/],
    [{ search_engine: { url: 'javascript:{searchTerms}' } }, /^search_engine\.url must be an http/],
    [{ user_agent: 'firefox' }, /^user_agent must be "chrome_android"\.$/],
    [{ quality: 'sharp' }, /^quality must be a JSON object with the field mode\.$/],
    [{ quality: { mode: 'best' } }, /^quality\.mode must be one of sharp, smooth, blocky\.$/],
    [{ locale: { language: 'not a language' } }, /^locale\.language must be a list/],
    [{ locale: { language: 'de;q=2' } }, /^locale\.language must be/],
    [{ locale: { country: 'XX1' } }, /^locale\.country must be/],
    [{ locale: { country: 'ZZ' } }, /^locale\.country must be an ISO 3166/],
    [{ profile: 7 }, /^profile must be true, false, a session id, or an object/],
    [{ profile: 'mine' }, /^profile must be the session_id/],
    [{ profile: { load: 7 } }, /^profile\.load must be/],
    [{ profile: { save: 'yes' } }, /^profile\.save must be true, false, or the session_id/],
    [{ profile: { save: [] } }, /^profile\.save must be true, false or a session id\.$/],
    [{ timeout: 300 }, /^timeout must be .* fields out of absolute, inactive, offline, warning, webhook\.$/],
    [{ timeout: { absolute: 'soon' } }, /^timeout\.absolute must be a number of seconds, 0 or more, or null/],
    [{ timeout: { absolute: -1 } }, /^timeout\.absolute must be/],
    [{ start_url: 'chrome://settings' }, /^start_url must be .*chrome:\/\/newtab/],
    [{ timeout: { warning: -1 } }, /^timeout\.warning must be a number of seconds, 0 or more/],
    [{ timeout: { webhook: { bearer: 'x' } } }, /^timeout\.webhook\.url must be given/],
    [{ timeout: { webhook: { url: 'ftp://x' } } }, /^timeout\.webhook\.url must be an http/],
    [{ auth: { type: 'password' } }, /^auth\.type must be one of token, webhook, tokens\.$/],
    [{ auth: { type: 'webhook' } }, /^auth\.value must be an object with url and bearer/],
    [{ auth: { type: 'webhook', value: { url: 'nowhere', bearer: 'b' } } }, /^auth\.value\.url must be/],
    ...['a\r\nX-Evil: 1', 'a\n', '\u0000', 'a\u007f', 'a\u0100', '💥'].flatMap(
      (bearer): [object, RegExp][] => {
        const hook = { url: 'https://example.com/', bearer };
        return [
          [{ auth: { type: 'webhook', value: hook } }, /^auth\.value\.bearer must be a text that a header/],
          [{ timeout: { webhook: hook } }, /^timeout\.webhook\.bearer must be a text that a header/],
        ];
      },
    ),
    [{ default_roles: [{}] }, /^default_roles\.0 must be one of the roles chrome_apis, /],
    [
      { automation: { hold_seconds: -1 } },
      /^automation\.hold_seconds must be a number of seconds, 0 or more\.$/,
    ],
    [{ automation: { roles: 'control' } }, /^automation\.roles must be a list of roles out of /],
    [{ automation: { roles: [1] } }, /^automation\.roles\.0 must be one of the roles /],
    [{ default_roles: 'control' }, /^default_roles must be a list of roles out of /],
    [{ http_proxy: { username: 'u' } }, /^http_proxy\.pac must be given/],
    [{ http_proxy: { pac: 'file:///etc/passwd' } }, /^http_proxy\.pac must be the address/],
    [{ tag: 'x'.repeat(257) }, /^tag must be a text of 1 to 256 characters\.$/],
    [{ tenant_id: [5] }, /^tenant_id must be a text/],
    [{ extension: { field: 'ex' } }, /^extension\.field must be the name of another part/],
  ];
  for (const [parameters, message] of cases) {
    it(`is explained: ${JSON.stringify(parameters)}`, async () => {
      const response = await api.create(parameters);
      assert.equal(response.statusCode, 400);
      const body = response.json<{ code: string; message: string }>();
      assert.equal(body.code, 'err_invalid_parameter');
      assert.match(body.message, message);
      assert.equal(service.pool.hosts.length, 0);
    });
  }
});

describe('max_area', () => {
  const size = { width: 800, height: 500 };

  // Proves: max_area
  it('is 1280 x 720 by default, or the area of a larger session', async () => {
    await api.begin(size);
    assert.equal(service.pool.last.session.maxArea, 1280 * 720);
    await api.begin({ width: 1920, height: 1080 });
    assert.equal(service.pool.last.session.maxArea, 1920 * 1080);
  });

  // Proves: max_area
  it('that is smaller than the session is raised to the area of the session', async () => {
    for (const max_area of [800 * 500 - 1, 1, 0, -1]) {
      const response = await api.create({ ...size, max_area });
      assert.equal(response.statusCode, 200, response.body);
      assert.equal(service.pool.last.session.maxArea, 800 * 500);
      assert.match(response.body, /max_area -?\d+ becomes 400000/);
    }
  });
});

describe('a region', () => {
  // Proves: region
  it("that this node serves, or a user's address, is accepted", async () => {
    for (const region of ['NA', 'eu', '203.0.113.7', '2001:db8::1']) await api.begin({ region });
  });

  // Proves: region
  it('that only another node serves is refused', async () => {
    await service.close();
    service = await createTestService({ regions: ['EU'] });
    api = new ApiCaller(service);
    const response = await api.create({ region: 'NA' });
    assert.deepEqual(codeOf(response), [400, 'err_region_unavailable']);
    assert.match(response.body, /It serves EU/);
    assert.equal((await service.app.inject('/vm/ok?reg=EU')).statusCode, 200);
    assert.equal((await service.app.inject('/vm/ok?reg=NA')).statusCode, 400);
    const unknown = await service.app.inject('/vm/ok?reg=us-east');
    assert.equal(unknown.statusCode, 200);
    assert.match(String(unknown.headers['cloud-browser-warnings']), /us-east/);
    assert.equal((await service.app.inject('/vm/ok')).statusCode, 200);
  });
});

describe('a profile', () => {
  it('that was never saved gives a clear error', async () => {
    const response = await api.create({ profile: PROFILE });
    assert.deepEqual(codeOf(response), [400, 'err_profile_not_found']);
    assert.equal((await api.send('GET', '/v0/vm')).json<{ results: [] }>().results.length, 0);
  });

  // Proves: profile; profile.load; profile.save
  it('is written by one session at a time, and copied when load and save differ', async () => {
    service.profiles.known.add(PROFILE);
    const first = await api.begin({ profile: PROFILE });
    const second = await api.create({ profile: PROFILE });
    assert.deepEqual(codeOf(second), [409, 'err_profile_in_use']);
    const fork = await api.begin({ profile: { load: PROFILE, save: true } });
    await service.pool.last.profile.save?.run(NOWHERE);
    assert.deepEqual(service.profiles.saves, [fork.session_id]);
    await api.send('DELETE', `/v0/vm/${first.session_id}`);
    await api.begin({ profile: PROFILE });
  });
});

describe('the stored data of a session', () => {
  it('contains no secret of its creator', async () => {
    await api.begin({
      auth: { type: 'webhook', value: { url: 'https://example.com/a', bearer: 'secret-1' } },
      timeout: { webhook: { url: 'https://example.com/t', bearer: 'secret-2' } },
      http_proxy: { pac: 'https://example.com/p', username: 'u', password: 'secret-3' },
    });
    assert.doesNotMatch(JSON.stringify([...service.registry.records.values()]), /secret/);
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { CreateRequest } from '../../../../server/src/create-fields/create-request.js';
import { ApiCaller } from '../../../fakes/api-caller.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
let api: ApiCaller;
beforeEach(async () => {
  service = await createTestService({ maxSessions: 100 });
  api = new ApiCaller(service);
});
afterEach(() => service.close());

/** The host's parameters of a session, without those that differ between any two sessions. */
async function asked(parameters: object): Promise<Record<string, unknown>> {
  await api.begin(parameters);
  const { sessionId, adminTokenHash, ...session } = service.pool.last.session;
  return session;
}

async function assertRefused(parameters: object, message: RegExp): Promise<void> {
  const response = await api.create(parameters);
  assert.equal(response.statusCode, 400, JSON.stringify(parameters));
  assert.match(response.json<{ message: string }>().message, message);
}
const recordAt = (index: number) => [...service.registry.records.values()][index];

describe('a field that is null or an empty string', () => {
  for (const field of Object.keys(CreateRequest.properties)) {
    // Proves: null, empty texts and empty objects; any field
    it(`counts as missing: ${field}`, async () => {
      const standard = await asked({});
      assert.deepEqual(await asked({ [field]: null }), standard);
      if (!['auth', 'field_masking'].includes(field))
        assert.deepEqual(await asked({ [field]: '' }), standard);
    });
  }

  const nested: object[] = [
    { timeout: { warning: null, webhook: null } },
    { timeout: { webhook: { url: null, bearer: null } } },
    { timeout: { webhook: { url: 'https://example.com/events', bearer: null, warnings: null } } },
    { touch_gestures: { swipe: null, pinch: null } },
    { quality: { mode: null } },
    { locale: { language: null, country: null } },
    { extension: { field: null } },
    { profile: { load: null, save: null } },
    { auth: { type: null, value: null } },
    { auth: { type: 'token', value: { url: null, bearer: null } } },
    { http_proxy: { pac: null, username: null, password: null } },
    { search_engine: { name: null, keyword: null, url: null, suggestions_url: null } },
  ];
  for (const parameters of nested) {
    // Proves: null, empty texts and empty objects; any field
    it(`counts as missing in nested values: ${JSON.stringify(parameters)}`, async () => {
      assert.deepEqual(await asked(parameters), await asked({}));
    });
  }

  // Proves: null, empty texts and empty objects
  it('keeps the default limits on create, and removes a limit on an update', async () => {
    await api.begin({ timeout: { warning: null, absolute: null, offline: null } });
    const none = { absolute: null, inactive: null, offline: null, warning: 60 };
    assert.deepEqual(recordAt(0)?.settings.timeout, none);
    const session = await api.begin({ timeout: { inactive: 100, warning: 5 } });
    const change = { absolute: null, inactive: null, warning: null, reset: null };
    const response = await api.control(session, 'timeout', change);
    assert.deepEqual(response.json(), { absolute: null, inactive: null, offline: 3600, warning: 5 });
  });

  it('changes no value of a user', async () => {
    const session = await api.begin();
    const change = ['user-1', { priority: '5', idle_timeout: null, control_disabled: 'true' }];
    const response = await api.control(session, 'setPermissions', change);
    assert.equal(response.statusCode, 200, response.body);
    const args = ['user-1', { priority: 5, control_disabled: true }];
    assert.deepEqual(service.pool.last.calls, [{ method: 'setPermissions', args }]);
  });

  // Proves: null, empty texts and empty objects; auth.type
  it('does not weaken other fields of the request', async () => {
    const cases: [parameters: object, field: RegExp][] = [
      [{ auth: { type: 'webhook', value: null } }, /^auth\.value must be/],
      [{ auth: { type: 'webhook', value: { url: 'https://example.com/', bearer: null } } }, /^auth\.value /],
      [{ auth: '' }, /^auth must be a JSON object with fields out of type, value\.$/],
      [{ auth: { type: '' } }, /^auth\.type must be one of token, webhook, tokens\.$/],
      [{ http_proxy: { pac: null, username: 'u' } }, /^http_proxy\.pac must be given/],
      [{ timeout: { webhook: { url: null, bearer: 'b' } } }, /^timeout\.webhook\.url must be given/],
      [{ extension: { field: '' } }, /^extension\.field must be/],
    ];
    for (const [parameters, message] of cases) await assertRefused(parameters, message);
  });
});

describe('a number or a boolean sent as a string', () => {
  // Proves: numbers and booleans as texts; any field
  it('is accepted, and so is a number as an identifier', async () => {
    const session = await asked({
      ...{ width: '1108', height: ' 831 ', fps: '30', kiosk: 'true', dark: 'False', webgl: 1, draw: '0' },
      ...{ profile: 'true', touch_gestures: { swipe: 'true' }, timeout: { offline: '90.5' } },
    });
    const expected = {
      width: 1108,
      height: 831,
      fps: 30,
      kiosk: true,
      dark: false,
      webgl: true,
      draw: false,
    };
    for (const [key, value] of Object.entries(expected)) assert.deepEqual(session[key], value, key);
    assert.deepEqual(session['touchGestures'], { swipe: true, pinch: false });
    assert.equal(session['keepProfile'], true);
    assert.equal(recordAt(0)?.settings.timeout.offline, 90.5);
    await api.begin({ tenant_id: 42, tag: 7 });
    const { tenantId, tag } = recordAt(1)?.settings ?? {};
    assert.deepEqual([tenantId, tag], ['42', '7']);
  });

  // Proves: numbers and booleans as texts
  it('is refused with the name of its field if it is invalid', async () => {
    const cases: [parameters: object, message: RegExp][] = [
      [{ fps: 'fast' }, /^fps must be an integer from 24 to 60\.$/],
      [{ fps: '0x1e' }, /^fps must be/],
      [{ kiosk: 'yes please' }, /^kiosk must be true or false\.$/],
      [{ timeout: { absolute: 'soon' } }, /^timeout\.absolute must be a number of seconds/],
    ];
    for (const [parameters, message] of cases) await assertRefused(parameters, message);
  });

  // Proves: numbers and booleans as texts
  it('is read in bounded time, however long it is', async () => {
    const digits = '1'.repeat(1_000_000);
    for (const end of ['', 'x', '.', '.x', 'e', `.${digits}x`, `e${digits}x`])
      await assertRefused({ fps: digits + end }, /^fps must be/);
  });
});

describe('a value that the service changes', () => {
  const cases: [parameters: object, got: Record<string, unknown>, warning: RegExp][] = [
    [{ region: 'us-east' }, {}, /^region "us-east" is unknown/],
    [{ default_roles: ['of_the_future', 'control'] }, {}, /^default_roles .*"of_the_future"/],
    [{ width: 200, height: 100 }, { width: 256, height: 256 }, /^width 200 .* 256.*height 100/],
    [{ width: 4000, height: 400 }, { width: 3840, height: 400 }, /^width 4000 .* 3840/],
    [{ width: 1024.6, height: 768 }, { width: 1025, height: 768 }, /^width 1024\.6 .* 1025/],
    [{ fps: 29.97 }, { fps: 30 }, /^fps 29\.97 .* 30/],
    [{ pixel_ratio: '0.5' }, { pixelRatio: 1 }, /^pixel_ratio 0\.5 becomes 1: it is 1 to 3/],
    [{ width: 320, height: 300, pixel_ratio: 4 }, { pixelRatio: 3 }, /^pixel_ratio 4 becomes 3/],
    [{ pixel_ratio: 2 }, { pixelRatio: 1.5 }, /^pixel_ratio 2 becomes 1\.5: .* 2073600 pixels/],
    [{ width: 640, height: 360, pixel_ratio: 2, max_area: 1 }, { maxArea: 921_600 }, /^max_area 1 .* 921600/],
    [{ max_area: 8_294_400 }, { maxArea: 2_073_600 }, /^max_area 8294400 .* 2073600/],
    [{ record: { rign: 5 } }, {}, /^"record\.rign": unknown fields have no effect\.$/],
    [
      { timeout: { absolut: 5, webhook: { url: 'https://c.example', warning: true } } },
      {},
      /^"timeout\.absolut", "timeout\.webhook\.warning": /,
    ],
    [{ automation: { nmae: 'Bot' } }, {}, /^"automation\.nmae": /],
    [
      { field_masking: [{ matches: ['*'], selectors: ['input'], selector: 'a' }] },
      {},
      /^"field_masking\.0\.selector": /,
    ],
  ];
  for (const [parameters, got, warning] of cases) {
    // Proves: warnings, unknown roles and regions, sides that no screen has; pixel_ratio; width; height
    // Proves: fps; answer warnings
    it(`is reported in the response and its header: ${JSON.stringify(parameters)}`, async () => {
      const response = await api.create(parameters);
      assert.equal(response.statusCode, 200, response.body);
      const { warnings } = response.json<{ warnings?: string[] }>();
      assert.match(warnings?.join(' ') ?? '', warning);
      const header = String(response.headers['cloud-browser-warnings']);
      assert.deepEqual(JSON.parse(header), warnings);
      const session: Record<string, unknown> = { ...service.pool.last.session };
      for (const [key, value] of Object.entries(got)) assert.deepEqual(session[key], value, key);
    });
  }

  it('is reported for a webhook whose address is refused', async () => {
    service.webhooks.refused = 'http://127.0.0.1:81/';
    const webhook = { url: service.webhooks.refused, bearer: 'b' };
    const request = { timeout: { webhook }, auth: { type: 'webhook', value: webhook } };
    const response = await api.create(request);
    const { warnings } = response.json<{ warnings?: string[] }>();
    const text =
      'is not public or belongs to this machine. Requests to it fail unless EGRESS_ALLOW opens it.';
    assert.deepEqual(warnings, [`auth.value.url ${text}`, `timeout.webhook.url ${text}`]);
  });

  it('is reported in short ASCII text, whatever the input', async () => {
    const roles = Array.from({ length: 50 }, (_, index) => `💥\n${index} ${'x'.repeat(900)}`);
    const timeout = Object.fromEntries(roles.map((name) => [name, 1]));
    const response = await api.create({ default_roles: roles, region: '🏝'.repeat(50), timeout });
    assert.equal(response.statusCode, 200, response.body);
    const header = String(response.headers['cloud-browser-warnings']);
    assert.match(header, /^[ -~]{1,4000}$/);
    assert.deepEqual(JSON.parse(header), response.json<{ warnings: string[] }>().warnings);
  });

  // Proves: warnings, unknown roles and regions, sides that no screen has; default_roles
  it('does not turn an unknown role into another one', async () => {
    await api.begin({ default_roles: ['programmatic_navigation'] });
    assert.deepEqual(recordAt(0)?.settings.roles, []);
  });

  // Proves: warnings, unknown roles and regions, sides that no screen has; answer warnings
  it('causes no warning if nothing was changed', async () => {
    const response = await api.create({
      ...{ width: '1108', height: 831, region: 'eu', start_url: '' },
      ...{ of_the_future: { x: 1 }, timeout: { absolute: 60, of_the_future: null } },
    });
    assert.deepEqual(Object.keys(response.json<object>()), ['session_id', 'embed_url', 'admin_token']);
    assert.equal(response.headers['cloud-browser-warnings'], undefined);
  });

  // Proves: warnings, unknown roles and regions, sides that no screen has
  it('is also reported for roles of users', async () => {
    const session = await api.begin();
    const roles = ['programmatic_navigation', 'control'];
    const response = await api.control(session, 'addRoles', [['user-1'], roles]);
    assert.deepEqual([response.statusCode, response.json()], [200, true]);
    assert.match(String(response.headers['cloud-browser-warnings']), /programmatic_navigation/);
    assert.deepEqual(service.pool.last.calls[0]?.args, [['user-1'], ['control']]);
  });
});

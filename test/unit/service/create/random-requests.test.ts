import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { CreateRequest } from '../../../../server/src/create-fields/create-request.js';
import { ApiCaller, type Access } from '../../../fakes/api-caller.js';
import { customerRequest, PROFILE } from '../../../fakes/customer-requests.js';
import { API_KEY, createTestService, type TestService } from '../../../fakes/test-service.js';

/** The same requests in every run. fast-check prints the smallest request that fails. */
const SEED = 20_300_101;
const MALFORMED = 2_000;
const CUSTOMERS = 300;
/** Memory in bytes that the first run of code and the records of some sessions may use. */
const MEMORY_LIMIT = 25e6;

let service: TestService;
afterEach(() => service.close());

const words = (text: string) => text.split(' ');
const FIELDS = [
  ...Object.keys(CreateRequest.properties),
  ...words('__proto__ constructor prototype toString absolute reset warning mode load save url bearer'),
  ...words('value type pac language country webhook field'),
  ...['', ' ', '\u0000', '💥'],
];
const SCALARS = [
  ...[null, true, false, 0, -0, -1, 1, 24, 60, 1.5, 1e308, -1e308, 2 ** 53, 2 ** 31, 1e-320],
  ...words('0 true __proto__ https://example.com javascript:alert(1) about:blank ../../etc/passwd de,en'),
  ...words('%00 {searchTerms} https://x/{searchTerms} token webhook sharp duckduckgo NA ::1'),
  ...['', ' ', '\u0000', '\ud800', '💥'.repeat(50), 'x'.repeat(10_000)],
  '4f1d1c1a-0000-4000-8000-000000000000',
];
const field = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...FIELDS) }, fc.string());
const scalar = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...SCALARS) }, fc.string(), fc.double());
const json = fc
  .object({ key: field, values: [scalar], maxDepth: 4, maxKeys: 5 })
  .map((value) => JSON.stringify(value));

/** A body: often JSON of some shape, sometimes text that only resembles JSON. */
const payload = fc.oneof(
  { weight: 14, arbitrary: json },
  { weight: 1, arbitrary: fc.tuple(json, fc.nat(200)).map(([text, end]) => text.slice(0, end)) },
  { weight: 1, arbitrary: fc.nat(100_000).map((depth) => '['.repeat(depth)) },
  { weight: 1, arbitrary: fc.constant('{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000)) },
  {
    weight: 1,
    arbitrary: json.map((text) => `{"__proto__":${text},"constructor":{"prototype":${text}}}`),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: json.map(
      (text) => `--x\r\nContent-Disposition: form-data; name="body"\r\n\r\n${text}\r\n--x--`,
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .anything({ key: field, values: [scalar], maxDepth: 3 })
      .map((value) => JSON.stringify(value)),
  },
);

const type = fc.constantFrom(
  ...['application/json', 'text/plain', 'application/x-www-form-urlencoded'],
  ...['multipart/form-data; boundary=x', 'multipart/form-data', 'multipart/mixed; boundary="', '', ';'],
  ...['application/json; charset=utf-16', 'x'.repeat(500)],
);
const encoded = scalar.map((value) =>
  encodeURIComponent(
    String(value)
      .replace(/[\ud800-\udfff]/g, '')
      .slice(0, 100),
  ),
);
/** Addresses below `session` are those of a running session. */
const reading = fc.record({
  method: fc.constantFrom('GET', 'DELETE', 'PUT'),
  path: fc.constantFrom('/v0/vm', '/v0/vm/usage', '/v0/vm/x', '/vm/ok', 'session', '/v0/vm/%00', '/%ff'),
  query: fc.tuple(encoded, encoded).map((pair) => `?${pair.join('=')}`),
});
const writing = fc.record({
  method: fc.constant('POST'),
  path: fc.constantFrom('/v0/vm', 'session/timeout', 'session/ping', 'session/bookmarks'),
  query: fc.constant(''),
  payload,
});
const request = fc.record({
  type,
  sent: fc.oneof({ weight: 15, arbitrary: reading }, { weight: 85, arbitrary: writing }),
});

describe('random requests', () => {
  // Proves: no request makes the service fail
  it('are answered without a server error, and each refusal has the documented form', async () => {
    service = await createTestService({ maxSessions: 5 });
    let session = await new ApiCaller(service).begin();
    const memory = memoryInUse();
    const statuses = new Map<number, number>();
    const property = fc.asyncProperty(request, async ({ type, sent: { path, query, ...sent } }) => {
      const { pathname } = new URL(session.embed_url);
      const response = await service.app.inject({
        ...sent,
        url: path.replace('session', pathname) + query,
        headers: {
          authorization: path.startsWith('session') ? session.admin_token : API_KEY,
          ...(type !== '' && { 'content-type': type }),
        },
      });
      const { statusCode, body } = response;
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      assert.ok(statusCode < 500, `${statusCode} ${body.slice(0, 200)}`);
      if (statusCode >= 400) {
        const told = JSON.parse(body) as Record<string, unknown>;
        assert.deepEqual(Object.keys(told), ['code', 'message']);
        assert.match(String(told['code']), /^err_[a-z_]+$/);
        assert.ok(body.length < 1_000, body);
      }
      if (service.sessions.live(session.session_id) === undefined) session = await anotherSession();
    });
    await fc.assert(property, { seed: SEED, numRuns: MALFORMED });
    assert.ok((statuses.get(200) ?? 0) > 50 && (statuses.get(400) ?? 0) > 500, JSON.stringify([...statuses]));
    assert.equal(({} as Record<string, unknown>)['kiosk'], undefined);
    const grown = memoryInUse() - memory;
    assert.ok(grown < MEMORY_LIMIT, `${(grown / 1e6).toFixed(1)} MB more than before`);
  });

  // Proves: each refusal is justified and names its field; any field
  it('of customers succeed unless a rule forbids them, and then the error names a field and the reason', async () => {
    service = await createTestService({ maxSessions: CUSTOMERS });
    service.profiles.known.add(PROFILE);
    const api = new ApiCaller(service);
    const counts = { granted: 0, refused: 0, warned: 0 };
    const property = fc.asyncProperty(customerRequest, async ({ body, refusals }) => {
      const response = await api.create(body);
      const sent = `${JSON.stringify(body)} ${response.body}`;
      assert.equal(response.statusCode, refusals.length > 0 ? 400 : 200, sent);
      if (refusals.length === 0) {
        counts.granted++;
        if ('warnings' in response.json<object>()) counts.warned++;
        return;
      }
      counts.refused++;
      const { code, message } = response.json<{ code: string; message: string }>();
      assert.equal(code, 'err_invalid_parameter', sent);
      assert.ok(
        refusals.some((refusal) => message.startsWith(refusal)),
        sent,
      );
    });
    await fc.assert(property, { seed: SEED, numRuns: CUSTOMERS });
    assert.ok(counts.granted > 100 && counts.refused > 30 && counts.warned > 30, JSON.stringify(counts));
  });

  async function anotherSession(): Promise<Access> {
    for (const host of service.pool.hosts) await host.stop('request');
    return new ApiCaller(service).begin();
  }
});

/** Returns the bytes in use after a full garbage collection. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

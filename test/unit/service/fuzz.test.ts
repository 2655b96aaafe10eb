import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CreateRequest } from '../../../server/src/create-fields/create-request.js';
import { ApiCaller, type Access } from '../../fakes/api-caller.js';
import { API_KEY, createTestService, type TestService } from '../../fakes/test-service.js';
import { Random } from '../../walk/random.js';

const REQUESTS = 2_000;
/** Memory in bytes that the first run of code and the records of some sessions may use. */
const MEMORY_LIMIT = 25e6;

let service: TestService;
let session: Access;
beforeEach(async () => {
  service = await createTestService({ maxSessions: 5 });
  session = await new ApiCaller(service).begin();
});
afterEach(() => service.close());

const chance = new Random(20_300_101);
const random = () => chance.next();
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;

const FIELDS = [
  ...Object.keys(CreateRequest.properties),
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'absolute',
    'reset',
    'warning',
    'mode',
    'load',
    'save',
  ],
  ...[
    'url',
    'bearer',
    'value',
    'type',
    'pac',
    'language',
    'country',
    'webhook',
    'field',
    '',
    ' ',
    '\u0000',
    '💥',
  ],
];
const SCALARS = [
  ...[null, true, false, 0, -0, -1, 1, 24, 60, 1.5, 1e308, -1e308, 2 ** 53, 2 ** 31, 1e-320],
  ...[
    '',
    ' ',
    '0',
    'true',
    '__proto__',
    'https://example.com',
    'javascript:alert(1)',
    'about:blank',
    '../../etc/passwd',
  ],
  ...[
    '\u0000',
    '\ud800',
    '💥'.repeat(50),
    'x'.repeat(10_000),
    '%00',
    '{searchTerms}',
    'https://x/{searchTerms}',
    'de,en',
  ],
  ...['token', 'webhook', 'sharp', 'duckduckgo', 'NA', '::1', '4f1d1c1a-0000-4000-8000-000000000000'],
];

function value(depth: number): unknown {
  const kind = random();
  if (depth <= 0 || kind < 0.6) return pick(SCALARS);
  const count = Math.floor(random() * 4);
  if (kind < 0.75) return Array.from({ length: count }, () => value(depth - 1));
  return record(depth - 1, count);
}

function record(depth: number, count: number): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, () => [pick(FIELDS), value(depth)]));
}

/** Returns a body: often JSON of some shape, sometimes text that only resembles JSON. */
function payload(): string | Buffer {
  const text = JSON.stringify(record(4, Math.floor(random() * 6)));
  const kind = random();
  if (kind < 0.7) return text;
  if (kind < 0.75) return text.slice(0, Math.floor(random() * text.length));
  if (kind < 0.8) return '['.repeat(Math.floor(random() * 100_000));
  if (kind < 0.83) return '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000);
  if (kind < 0.86) return `{"__proto__":${text},"constructor":{"prototype":${text}}}`;
  if (kind < 0.9) return Buffer.from(Array.from({ length: 200 }, () => Math.floor(random() * 256)));
  if (kind < 0.95) return `--x\r\nContent-Disposition: form-data; name="body"\r\n\r\n${text}\r\n--x--`;
  return JSON.stringify(value(3));
}

const TYPES = [
  ...[
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ],
  ...[
    'multipart/form-data',
    'multipart/mixed; boundary="',
    '',
    ';',
    'application/json; charset=utf-16',
    'x'.repeat(500),
  ],
];

describe(`${REQUESTS} random requests`, () => {
  // Proves: no request makes the service fail
  it('are answered without a server error, and each refusal has the documented form', async () => {
    const { pathname } = new URL(session.embed_url);
    const targets = [
      '/v0/vm',
      '/v0/vm',
      '/v0/vm',
      `${pathname}/timeout`,
      `${pathname}/ping`,
      `${pathname}/bookmarks`,
    ];
    const queries = ['/v0/vm', '/v0/vm/usage', '/v0/vm/x', '/vm/ok', pathname, '/v0/vm/%00', '/%ff'];
    const memory = memoryInUse();
    const statuses = new Map<number, number>();
    for (let count = 0; count < REQUESTS; count++) {
      const reading = random() < 0.15;
      const url = reading
        ? `${pick(queries)}?${pick(FIELDS.map(encodeSafely))}=${encodeSafely(String(pick(SCALARS)))}`
        : pick(targets);
      const authorization = url.startsWith(pathname) ? session.admin_token : API_KEY;
      const type = pick(TYPES);
      const response = await service.app.inject({
        method: reading ? pick(['GET', 'DELETE', 'PUT'] as const) : 'POST',
        url,
        headers: { authorization, ...(type !== '' && { 'content-type': type }) },
        ...(!reading && { payload: payload() }),
      });
      const { statusCode, body } = response;
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
      assert.ok(statusCode < 500, `${statusCode} ${url} ${body.slice(0, 200)}`);
      if (statusCode >= 400) {
        const told = JSON.parse(body) as Record<string, unknown>;
        assert.deepEqual(Object.keys(told), ['code', 'message']);
        assert.match(String(told['code']), /^err_[a-z_]+$/);
        assert.ok(body.length < 1_000, body);
      }
      if (service.sessions.live(session.session_id) === undefined) session = await revive();
    }
    assert.ok((statuses.get(200) ?? 0) > 50 && (statuses.get(400) ?? 0) > 500, JSON.stringify([...statuses]));
    assert.equal(({} as Record<string, unknown>)['kiosk'], undefined);
    const grown = memoryInUse() - memory;
    assert.ok(grown < MEMORY_LIMIT, `${(grown / 1e6).toFixed(1)} MB more than before`);
  });

  async function revive(): Promise<Access> {
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

function encodeSafely(text: string): string {
  return encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '').slice(0, 100));
}

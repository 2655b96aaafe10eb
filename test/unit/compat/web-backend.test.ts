import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { WARNINGS_HEADER } from '../../../server/src/http/answers/warnings-header.js';
import { openService, type OpenService } from '../../fakes/open-service.js';
import { API_KEY } from '../../fakes/test-service.js';

let service: OpenService;
let server: Server;
let site: string;
/** Warnings of the service about values that it changed. */
let warnings: (string | null)[];

/** A typical Express site: pages request a room and receive only its address. */
before(async () => {
  service = await openService();
  warnings = [];
  server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://site');
    startRoom(Object.fromEntries(searchParams)).then(
      ({ status, body }) => response.writeHead(status).end(JSON.stringify(body)),
      () => response.writeHead(500).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await service.close();
});

/**
 * A page sends a string or nothing. The rest is a record of the site's own database, spread into the request.
 */
async function startRoom(query: Record<string, string | undefined>) {
  const room = { id: 17, owner: { name: 'Ann' }, createdAt: new Date(0), start_url: null, tag: null };
  const response = await fetch(`${service.url}/v0/vm`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${API_KEY}` },
    body: JSON.stringify({
      ...room,
      width: query['width'],
      height: query['height'],
      kiosk: query['kiosk'] ?? '',
      region: query['region'] ?? null,
      default_roles: query['roles']?.split(','),
      quality: { mode: query['quality'] ?? null },
      auth: null,
      profile: query['profile'] ? { load: query['profile'], save: null } : {},
      timeout: {},
    }),
  });
  warnings.push(response.headers.get(WARNINGS_HEADER));
  const body = (await response.json()) as { embed_url?: string; code?: string; message?: string };
  return { status: response.status, body: response.ok ? { computer: body.embed_url } : body };
}

describe('a site that forwards values of its pages and its database', () => {
  const ask = async (query = '') => {
    const response = await fetch(`${site}/room?${query}`);
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  };

  // Proves: a field that is not listed
  it('can start a session with strings, nulls, gaps and unknown fields', async () => {
    const { status, body } = await ask('width=800&height=600&kiosk=true');
    assert.equal(status, 200);
    const { session } = service.pool.last;
    assert.deepEqual(
      [session.width, session.height, session.kiosk, session.startUrl, session.quality],
      [800, 600, true, 'about:blank', 'smooth'],
    );
    const page = await fetch(body['computer'] ?? '', { headers: { 'sec-fetch-dest': 'iframe' } });
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.deepEqual(warnings, [null]);
  });

  // Proves: region; answer warnings
  it('receives warnings about changed values, and the session still starts', async () => {
    assert.equal((await ask('region=us-east&roles=control,programmatic_navigation')).status, 200);
    const said = JSON.parse(warnings.at(-1) ?? '[]') as string[];
    assert.deepEqual(said.map((sentence) => sentence.split(' ')[0]).sort(), ['default_roles', 'region']);
  });

  // Proves: answer code; answer message; status 400 err_invalid_parameter
  it('receives which field is invalid and why', async () => {
    const { status, body } = await ask('width=800&height=600&kiosk=perhaps');
    assert.deepEqual(
      [status, body],
      [400, { code: 'err_invalid_parameter', message: 'kiosk must be true or false.' }],
    );
  });
});

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ApiCaller } from '../../../fakes/api-caller.js';
import { recordingRoot, recordingsIn } from '../../../fakes/recording-parts.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

interface Operation {
  operationId: string;
  summary: string;
  security: object[];
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: {
    content: Record<
      string,
      { schema: { type?: string; format?: string; properties?: Record<string, unknown> } }
    >;
  };
  responses: Record<string, { content?: Content }>;
}
type Content = Record<string, { schema: { type?: string; format?: string } }>;

let service: TestService;
beforeEach(async () => (service = await createTestService()));
afterEach(() => service.close());

describe('/openapi.json', () => {
  it('describes exactly the endpoints of the API', async () => {
    const response = await service.app.inject('/openapi.json');
    assert.equal(response.headers['access-control-allow-origin'], '*');
    const document = response.json<{ openapi: string; paths: Record<string, Record<string, Operation>> }>();
    assert.equal(document.openapi, '3.1.0');
    const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(endpoints.sort(), [
      'DELETE /v0/profiles/unsaved',
      'DELETE /v0/profiles/unsaved/{profile}',
      'DELETE /v0/vm/{session_id}',
      'DELETE /{address}/downloads/{download_id}',
      'DELETE /{address}/handoffs/{handoff_id}',
      'DELETE /{address}/tokens/{token_id}',
      'DELETE /{address}/uploads/{upload_id}',
      'DELETE /{address}/users/{user_id}',
      'GET /livez',
      'GET /metrics',
      'GET /ok',
      'GET /readyz',
      'GET /v0/nodes',
      'GET /v0/profiles/unsaved',
      'GET /v0/vm',
      'GET /v0/vm/usage',
      'GET /v0/vm/{session_id}',
      'GET /vm/ok',
      'GET /{address}/downloads/{download_id}',
      'GET /{address}/files/{ticket}',
      'GET /{address}/handoffs',
      'GET /{address}/handoffs/{handoff_id}',
      'GET /{address}/json/list',
      'GET /{address}/json/version',
      'GET /{address}/ok',
      'GET /{address}/screenshot',
      'GET /{address}/tokens',
      'GET /{address}/users',
      'POST /v0/vm',
      'POST /{address}/addRoles',
      'POST /{address}/bookmarks',
      'POST /{address}/computer/accessibility',
      'POST /{address}/computer/batch',
      'POST /{address}/computer/choose',
      'POST /{address}/computer/click',
      'POST /{address}/computer/dialog',
      'POST /{address}/computer/drag',
      'POST /{address}/computer/files',
      'POST /{address}/computer/key',
      'POST /{address}/computer/move',
      'POST /{address}/computer/open',
      'POST /{address}/computer/screenshot',
      'POST /{address}/computer/scroll',
      'POST /{address}/computer/set',
      'POST /{address}/computer/tabs',
      'POST /{address}/computer/type',
      'POST /{address}/computer/wait',
      'POST /{address}/dialogs.{method}',
      'POST /{address}/files/{ticket}',
      'POST /{address}/handoffs',
      'POST /{address}/mcp',
      'POST /{address}/pinSize',
      'POST /{address}/ping',
      'POST /{address}/removeRoles',
      'POST /{address}/setPermissions',
      'POST /{address}/tabs.{method}',
      'POST /{address}/timeout',
      'POST /{address}/tokens',
      'POST /{address}/uploads',
    ]);
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
    for (const [path, methods] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters, responses, summary } of Object.values(methods)) {
        const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
        assert.deepEqual(named, inPath);
        assert.ok(summary && responses['200'] && responses['4XX'] && responses['5XX']);
      }
    }
    const create = document.paths['/v0/vm']?.['post']?.requestBody?.content ?? {};
    assert.ok(create['application/json']?.schema.properties?.['start_url']);
    assert.ok(create['multipart/form-data']);
  });

  it('describes the content of each request and answer that is not JSON', async () => {
    const root = await recordingRoot();
    const { recordings } = await recordingsIn(root);
    const recording = await createTestService({ recordings });
    const { paths } = (await recording.app.inject('/openapi.json')).json<{
      paths: Record<string, Record<string, Operation>>;
    }>();
    await recording.close();
    await rm(root, { recursive: true });
    const contentOf = (name: string, content: Content = {}) =>
      Object.entries(content).flatMap(([type, { schema }]) =>
        type === 'application/json' ? [] : `${name} ${type} ${schema.format ?? schema.type ?? 'any'}`,
      );
    const content = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody, responses }]) => [
        ...contentOf(`${method} ${path} takes`, requestBody?.content),
        ...contentOf(`${method} ${path} returns`, responses['200']?.content),
      ]),
    );
    assert.deepEqual(content.sort(), [
      'get /metrics returns text/plain string',
      'get /v0/recordings/{id}/chapters.vtt returns text/vtt string',
      'get /v0/recordings/{id}/events returns application/jsonl string',
      'get /v0/recordings/{id}/index.m3u8 returns application/vnd.apple.mpegurl string',
      'get /v0/recordings/{id}/thumbnail.jpg returns image/jpeg binary',
      'get /v0/recordings/{id}/video.mp4 returns video/mp4 binary',
      'get /{address}/downloads/{download_id} returns application/octet-stream binary',
      'get /{address}/files/{ticket} returns application/octet-stream binary',
      'get /{address}/screenshot returns image/jpeg binary',
      'get /{address}/screenshot returns image/png binary',
      'get /{address}/screenshot returns image/webp binary',
      'post /v0/vm takes multipart/form-data object',
      'post /{address}/bookmarks takes text/html string',
      'post /{address}/files/{ticket} takes application/octet-stream binary',
      'post /{address}/mcp returns text/event-stream string',
      'post /{address}/uploads takes application/octet-stream binary',
    ]);
  });

  it('names both credentials of the requests that accept an API key instead of the admin token', async () => {
    const { paths } = (await service.app.inject('/openapi.json')).json<{
      paths: Record<string, Record<string, Operation>>;
    }>();
    const credentials = (path: string) =>
      Object.values(paths[path] ?? {}).map(({ security }) => security.flatMap((each) => Object.keys(each)));
    const both = ['adminToken', 'apiKey'];
    assert.deepEqual(credentials('/{address}/users'), [both]);
    assert.deepEqual(credentials('/{address}/tokens'), [both, both]);
    assert.deepEqual(credentials('/{address}/setPermissions'), [both]);
    assert.deepEqual(credentials('/{address}/handoffs'), [both, both]);
    assert.deepEqual(credentials('/{address}/screenshot'), [both]);
    assert.deepEqual(credentials('/{address}/computer/click'), [both]);
    assert.deepEqual(credentials('/{address}/uploads'), [both]);
    assert.deepEqual(credentials('/{address}/downloads/{download_id}'), [both, both]);
    assert.deepEqual(credentials('/{address}/mcp'), [both]);
    assert.deepEqual(credentials('/{address}/timeout'), [['adminToken']]);
  });

  it('has no broken references', async () => {
    const { body } = await service.app.inject('/openapi.json');
    const document = JSON.parse(body) as Record<string, unknown>;
    for (const [, path = ''] of body.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = path
        .split('/')
        .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document);
      assert.ok(target, path);
    }
  });
});

describe('/metrics', () => {
  // Proves: /metrics
  it('counts sessions, viewers, refusals and webhook results, for clients with a key', async () => {
    const api = new ApiCaller(service);
    service.pool.showsAtOnce = true;
    await api.begin();
    service.pool.last.listener.onViewers(3);
    service.pool.last.listener.onStandby(true);
    await api.create({ fps: 1 });
    const session = await api.begin();
    await api.send('DELETE', `/v0/vm/${session.session_id}`);
    assert.equal((await service.app.inject('/metrics')).statusCode, 401);
    const { body, headers } = await api.send('GET', '/metrics');
    assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/);
    const expected = [
      'cloud_browser_sessions{state="running"} 1',
      'cloud_browser_viewers 3',
      'cloud_browser_sessions_standby 1',
      'cloud_browser_sessions_created_total 2',
      'cloud_browser_sessions_ended_total{reason="request"} 1',
      'cloud_browser_rejections_total{code="err_invalid_parameter"} 1',
      'cloud_browser_session_start_seconds_count 2',
    ];
    for (const line of expected) assert.ok(body.includes(`\n${line}\n`), line);
  });
});

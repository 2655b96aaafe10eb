import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { LightMyRequestResponse } from 'fastify';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ApiCaller } from '../../../fakes/api-caller.js';
import { recordingRoot, recordingsIn } from '../../../fakes/recording-parts.js';
import { API_KEY, createTestService, type TestService } from '../../../fakes/test-service.js';

let root: string;
let service: TestService;
let api: ApiCaller;
beforeEach(async () => {
  root = await recordingRoot();
  const { recordings } = await recordingsIn(root);
  service = await createTestService({ recordings });
  api = new ApiCaller(service);
});
afterEach(async () => {
  await service.close();
  await rm(root, { recursive: true });
});

/** Sends this many requests. Returns the responses that refuse a request because of the rate. */
async function refused(
  count: number,
  send: () => Promise<LightMyRequestResponse>,
): Promise<LightMyRequestResponse[]> {
  const responses: LightMyRequestResponse[] = [];
  for (let sent = 0; sent < count; sent++) responses.push(await send());
  return responses.filter(({ statusCode }) => statusCode === 429);
}

function assertRefusal(response: LightMyRequestResponse | undefined): void {
  assert.ok(response);
  assert.equal(response.json<{ code: string }>().code, 'err_too_many_requests');
  assert.equal(response.headers['retry-after'], '1');
}

describe('the rate of requests', () => {
  it('is limited for each session that the admin token manages', async () => {
    const session = await api.begin();
    const refusals = await refused(205, () => api.control(session, 'bookmarks', '<dl></dl>'));
    assert.equal(refusals.length, 5);
    assertRefusal(refusals[0]);
    for (const path of ['ping', 'timeout', 'pinSize', 'tabs.query', 'tokens', 'setPermissions', 'recordings'])
      assert.equal((await api.control(session, path)).statusCode, 429, path);
    assert.equal((await api.control(await api.begin(), 'ping')).statusCode, 200, 'another session');
    service.clock.advance(1_000);
    assert.equal((await refused(55, () => api.control(session, 'ping'))).length, 5);
  });

  it('is limited for each credential that manages a session, apart from programs', async () => {
    const session = await api.begin({ automation: true });
    const users = (token?: string) => api.control(session, 'removeRoles', [[], []], token);
    const asProgram = () => api.control(session, 'computer/tabs');
    assert.equal((await refused(205, asProgram)).length, 5);
    assert.equal((await refused(205, () => users())).length, 5);
    assert.equal((await refused(205, () => users(API_KEY))).length, 5);
  });

  it('is limited for each recording', async () => {
    const send = () => api.send('GET', '/v0/recordings/one/chapters.vtt');
    const refusals = await refused(605, send);
    assert.equal(refusals.length, 5);
    assertRefusal(refusals[0]);
    for (const file of ['', '/video.mp4', '/events', '/index.m3u8', '/thumbnail.jpg'])
      assert.equal((await api.send('GET', `/v0/recordings/one${file}`)).statusCode, 429, file);
    assert.equal((await api.send('GET', '/v0/recordings/two')).statusCode, 404, 'another recording');
    service.clock.advance(1_000);
    assert.equal((await refused(105, send)).length, 5);
  });
});

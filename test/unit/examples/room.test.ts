import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Room } from '../../../examples/backend/sessions.js';
import { CloudBrowserApi } from '../../../src/api/index.js';
import { API_KEY, createTestService, type TestService } from '../../fakes/test-service.js';

let service: TestService;
let api: CloudBrowserApi;
let room: Room;
beforeEach(async () => {
  service = await createTestService();
  const baseUrl = await service.app.listen({ host: '127.0.0.1', port: 0 });
  api = new CloudBrowserApi({ baseUrl, apiKey: API_KEY });
  room = new Room(baseUrl, API_KEY, 'https://example.com');
});
afterEach(() => service.close());

/** Returns the session that each of several visitors gets who come at the same time. */
async function visit(): Promise<string[]> {
  const sessions = await Promise.all([room.session(), room.session(), room.session()]);
  return [...new Set(sessions.map(({ session_id: id }) => id))];
}

describe('the room of the example backend', () => {
  it('gives all visitors one session, and after its end a new one', async () => {
    const [first = '', ...others] = await visit();
    assert.deepEqual([await visit(), others], [[first], []]);
    await api.endSession(first);
    const next = await visit();
    assert.equal(next.length, 1);
    assert.notEqual(next[0], first);
  });

  it('gives visitors a new session after the record of the last one was removed', async () => {
    const [first = ''] = await visit();
    await api.endSession(first);
    service.registry.records.delete(first);
    await assert.rejects(api.getSession(first), { status: 404 });
    const next = await visit();
    assert.equal(next.length, 1);
    assert.notEqual(next[0], first);
  });
});

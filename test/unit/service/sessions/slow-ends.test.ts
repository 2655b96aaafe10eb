import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { END_ANSWER_MS } from '../../../../server/src/http/routes/sessions.js';
import { ApiCaller } from '../../../fakes/api-caller.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

let service: TestService;
beforeEach(async () => (service = await createTestService()));
afterEach(() => service.close());

describe('a request to end a session whose profile takes long to save', () => {
  it('returns its state after a while, and success when it is done', async () => {
    service.pool.showsAtOnce = true;
    const api = new ApiCaller(service);
    const { session_id: id } = await api.begin({ profile: true });
    let saved: () => void = () => undefined;
    const saving = new Promise<void>((resolve) => (saved = resolve));
    service.profiles.save = () => saving;
    const stateOf = async () => (await api.send('GET', `/v0/vm/${id}`)).json<{ state: string }>().state;

    const slow = async () => {
      const answer = api.send('DELETE', `/v0/vm/${id}`);
      for (let turns = 0; turns < 20; turns++) await turn();
      service.clock.advance(END_ANSWER_MS);
      return answer;
    };
    for (let time = 0; time < 2; time++) {
      const answer = await slow();
      assert.equal(answer.statusCode, 202);
      assert.deepEqual(answer.json(), { session_id: id, state: 'ending' });
      assert.equal(await stateOf(), 'ending');
    }
    const last = api.send('DELETE', `/v0/vm/${id}`);
    saved();
    const answer = await last;
    assert.deepEqual([answer.statusCode, answer.json()], [200, { session_id: id }]);
    assert.equal(await stateOf(), 'ended');
  });
});

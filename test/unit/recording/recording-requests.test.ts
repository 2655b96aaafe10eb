import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ApiCaller, codeOf, type Access } from '../../fakes/api-caller.js';
import { recordingsIn } from '../../fakes/recording-parts.js';
import { createTestService, type TestService } from '../../fakes/test-service.js';
import { rootsFixture } from '../../support/recordings-fixture.js';

const newRoot = rootsFixture();

describe('a request that starts a recording', () => {
  let service: TestService;
  let api: ApiCaller;
  let session: Access;
  beforeEach(async () => {
    const { recordings } = await recordingsIn(await newRoot());
    service = await createTestService({ recordings });
    api = new ApiCaller(service);
    session = await api.begin();
  });
  afterEach(() => service.close());

  it('is refused with a length of the ring, which belongs to the create request', async () => {
    for (const body of [{ ring: 5 }, { ring: 'x' }, { from: 'ring', ring: 5 }]) {
      const answer = await api.control(session, 'recordings', body);
      assert.deepEqual(codeOf(answer), [400, 'err_invalid_parameter']);
      assert.match(answer.json<{ message: string }>().message, /^ring must be given when the session/);
    }
  });
});

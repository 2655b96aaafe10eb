import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ApiCaller, codeOf, type Access } from '../../fakes/api-caller.js';
import { recordingsIn, startRecording } from '../../fakes/recording-parts.js';
import { API_KEY, createTestService, type TestService } from '../../fakes/test-service.js';
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

  it('is refused for a misspelled field, because it would record something else', async () => {
    const response = await api.control(session, 'recordings', { form: 'ring' });
    assert.equal(response.statusCode, 400);
    const { message } = response.json<{ message: string }>();
    assert.match(message, /^The parameter form must be one of .*from/);
  });

  it('is refused with a length of the ring, which belongs to the create request', async () => {
    for (const body of [{ ring: 5 }, { ring: 'x' }, { from: 'ring', ring: 5 }]) {
      const answer = await api.control(session, 'recordings', body);
      assert.deepEqual(codeOf(answer), [400, 'err_invalid_parameter']);
      assert.match(answer.json<{ message: string }>().message, /^ring must be given when the session/);
    }
  });
});

describe('a request for a range behind the end of a video', () => {
  it('is refused with JSON, and with the size of the video', async () => {
    const { recordings } = await recordingsIn(await newRoot());
    const service = await createTestService({ recordings });
    const { id } = await startRecording(recordings, 'one');
    await recordings.stop('one', id);
    const url = `/v0/recordings/${id}/video.mp4?download`;
    const get = (range?: string) =>
      service.app.inject({
        url,
        headers: { authorization: `Bearer ${API_KEY}`, ...(range !== undefined && { range }) },
      });
    const { length } = (await get()).rawPayload;
    const refused = await get(`bytes=${length}-`);
    assert.deepEqual(codeOf(refused), [416, 'err_range']);
    assert.match(refused.json<{ message: string }>().message, new RegExp(`has ${length} bytes`));
    const { headers } = refused;
    assert.deepEqual(
      [headers['content-range'], headers['cache-control'], headers['content-disposition']],
      [`bytes */${length}`, 'no-store', undefined],
    );
    await service.close();
  });
});

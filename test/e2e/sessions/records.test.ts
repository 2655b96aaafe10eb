import assert from 'node:assert/strict';
import { RawViewer } from '../support/raw-viewer.js';
import { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };

// Proves: GET /v0/vm; GET /v0/vm/{session_id}
test(
  'a session is listed while it runs, and can be read after its end',
  { tag: '@main' },
  async ({ show, service }) => {
    const { session } = await show('marker', SIZE);
    const viewer = await RawViewer.open(session);
    const ids = async () => {
      const { body } = await service.request('GET', '/v0/vm');
      return (body['results'] as { id: string }[]).map(({ id }) => id);
    };
    assert.deepEqual(await ids(), [session.session_id]);
    const running = await until('its viewer is counted', async () => {
      const view = await service.view(session);
      return view['viewers'] === 1 && view;
    });
    assert.deepEqual(
      [running['state'], running['viewers'], running['termination_date'], running['embed_url']],
      ['running', 1, null, session.embed_url],
    );
    await service.end(session);
    assert.deepEqual(await ids(), []);
    const ended = await service.view(session);
    assert.deepEqual([ended['state'], ended['viewers']], ['ended', 0]);
    assert.ok(Date.parse(String(ended['termination_date'])) > Date.parse(String(ended['creation_date'])));
    await until('its viewer is disconnected', () => viewer.closed);
  },
);

test.describe('a session without an authorization endpoint', () => {
  // Access must be right every time, so these tests are not retried.
  test.describe.configure({ retries: 0 });

  // Proves: auth.type token; auth.type
  test('can be opened only with the token in its address', async ({ service }) => {
    const session = await service.create(SIZE);
    const { origin, pathname, search } = new URL(session.embed_url);
    assert.match(search, /^\?token=[\w-]{43}$/);
    for (const wrong of ['', '?token=', `?token=${'A'.repeat(43)}`, `?token=${session.admin_token}`]) {
      const viewer = await RawViewer.knock({ ...session, embed_url: origin + pathname + wrong });
      assert.equal(viewer.closed?.reason, 'unauthorized', wrong);
      assert.deepEqual(viewer.messages, []);
    }
    assert.ok((await RawViewer.knock(session)).welcome);
    await service.end(session);
  });
});

// Proves: region
test("a region is accepted if the node serves it or if it is a user's address, and refused otherwise", async () => {
  const service = await Service.start({ REGION: 'EU' });
  for (const region of ['EU', '203.0.113.7']) await service.end(await service.create({ region, ...SIZE }));
  const { status, body } = await service.request('POST', '/v0/vm', { region: 'AS', ...SIZE });
  assert.deepEqual([status, body['code']], [400, 'err_region_unavailable']);
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { API_KEY, createTestService, type TestService } from '../../fakes/test-service.js';

let service: TestService;
beforeEach(async () => (service = await createTestService()));
afterEach(() => service.close());

const create = (masks: unknown) =>
  service.app.inject({
    method: 'POST',
    url: '/v0/vm',
    headers: { authorization: `Bearer ${API_KEY}` },
    payload: { field_masking: masks },
  });

describe('field_masking', () => {
  it('is told to the host', async () => {
    const masks = [
      { matches: ['*://*.example.com/*', '*'], selectors: ['input', '[data-secret] *'] },
      { matches: ['https://shop.example'], selectors: ['#card'] },
    ];
    assert.equal((await create(masks)).statusCode, 200);
    assert.deepEqual(service.pool.last.session.fieldMasking, masks);
  });

  it('refuses masks that would mask nothing', async () => {
    const [matches, selectors] = [['*'], ['input']];
    for (const masks of [
      true,
      'input',
      { matches, selectors },
      [null],
      [{ matches }],
      [{ selectors }],
      [{ matches: [], selectors }],
      [{ matches, selectors: [] }],
      [{ matches: '*', selectors }],
      [{ matches, selectors: 'input' }],
      [{ matches: ['no address'], selectors }],
      [{ matches: ['/path'], selectors }],
      [{ matches: [7], selectors }],
      [{ matches, selectors: [' '] }],
      [{ matches, selectors: [''] }],
      [{ match: matches, selector: selectors }],
    ]) {
      const response = await create(masks);
      assert.equal(response.statusCode, 400, JSON.stringify(masks));
      assert.match(response.json<{ message: string }>().message, /field_masking/);
    }
    assert.equal(service.pool.hosts.length, 0);
  });
});

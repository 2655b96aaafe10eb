import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import { chromium, type Browser } from 'playwright-core';
import { FlowerAgent } from '../../../examples/backend/agent.js';
import type { SessionCreated } from '../../../src/api/index.js';

afterEach(() => mock.restoreAll());

describe('the agent of the example backend', () => {
  it('leaves the session after a step has failed', async () => {
    let closed = 0;
    const page = { getByLabel: () => assert.fail('The page is gone.') };
    const browser = { contexts: () => [{ pages: () => [page] }], close: () => Promise.resolve(closed++) };
    mock.method(chromium, 'connectOverCDP', () => Promise.resolve(browser as unknown as Browser));
    const agent = new FlowerAgent({ cdp_url: 'ws://127.0.0.1/' } as SessionCreated);
    await agent.run();
    const { ended, failure, steps } = agent.report;
    assert.deepEqual([ended, failure, steps[0]?.state], [true, 'The page is gone.', 'failed']);
    assert.equal(closed, 1);
  });
});

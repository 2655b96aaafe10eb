import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HumanAnswer, McpBrowser } from '../../../../server/src/mcp/mcp-browser.js';
import { TOOLS } from '../../../../server/src/mcp/tools.js';

/** Uses the tool `request_human`. Nobody answers. Returns its text, and the calls of the browser. */
async function ask(args: Record<string, unknown>): Promise<{ text: string; calls: string[] }> {
  const calls: string[] = [];
  const answer = (call: string, outcome: string | null): Promise<HumanAnswer> => {
    calls.push(call);
    return Promise.resolve({ id: 'one', outcome, note: '' });
  };
  const browser: McpBrowser = {
    call: () => assert.fail('The browser is not used.'),
    uploadFile: () => assert.fail('No file is sent.'),
    readDownload: () => assert.fail('No file is read.'),
    requestHuman: (instructions) => answer(`request ${instructions}`, null),
    humanAnswer: (id) => answer(`answer ${id}`, null),
    withdrawHuman: (id) => answer(`withdraw ${id}`, 'withdrawn'),
  };
  const [content] = (await TOOLS.find(({ name }) => name === 'request_human')?.run(browser, args)) ?? [];
  assert.ok(content?.type === 'text');
  return { text: content.text, calls };
}

describe('the tool request_human', () => {
  it('says how to go on if nobody answers', async () => {
    const { text, calls } = await ask({ instructions: 'Log in.' });
    assert.match(text, /id "one" to wait on\. Add withdraw: true to go on without a person/);
    assert.deepEqual(calls, ['request Log in.', 'answer one']);
  });

  it('waits on for an earlier request, or withdraws it', async () => {
    assert.deepEqual((await ask({ id: 'one' })).calls, ['answer one']);
    const { text, calls } = await ask({ id: 'one', withdraw: true });
    assert.deepEqual([text, calls], ['Outcome: withdrawn.', ['withdraw one']]);
  });
});

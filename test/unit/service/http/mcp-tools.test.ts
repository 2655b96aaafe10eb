import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HumanAnswer, McpBrowser } from '../../../../server/src/mcp/mcp-browser.js';
import { answerMcp } from '../../../../server/src/mcp/mcp-server.js';
import { ServiceRequestError } from '../../../../server/src/mcp/remote-browser.js';
import { TOOLS } from '../../../../server/src/mcp/tools.js';
import { packageVersion } from '../../../../server/src/platform/files/package-files.js';

/** Returns a browser whose person never answers. `onCall` receives its calls. */
function nobody(onCall: (call: string) => void): McpBrowser {
  const answer = (call: string, outcome: string | null): Promise<HumanAnswer> => {
    onCall(call);
    return Promise.resolve({ id: 'one', outcome, note: '' });
  };
  return {
    call: () => assert.fail('The browser is not used.'),
    uploadFile: () => assert.fail('No file is sent.'),
    readDownload: () => assert.fail('No file is read.'),
    requestHuman: (instructions) => answer(`request ${instructions}`, null),
    humanAnswer: (id) => answer(`answer ${id}`, null),
    withdrawHuman: (id) => answer(`withdraw ${id}`, 'withdrawn'),
  };
}

/** Uses the tool `request_human`. Returns its text. */
async function run(browser: McpBrowser, args: Record<string, unknown>): Promise<string> {
  const [content] = (await TOOLS.find(({ name }) => name === 'request_human')?.run(browser, args)) ?? [];
  assert.ok(content?.type === 'text');
  return content.text;
}

/** Uses the tool `request_human`. Nobody answers. Returns its text, and the calls of the browser. */
async function ask(args: Record<string, unknown>): Promise<{ text: string; calls: string[] }> {
  const calls: string[] = [];
  const text = await run(
    nobody((call) => void calls.push(call)),
    args,
  );
  return { text, calls };
}

it('the MCP server reports the version of the package', async () => {
  const message = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: {
      ...{ protocolVersion: '2025-06-18', capabilities: {} },
      clientInfo: { name: 'test', version: '1' },
    },
  };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const request = new Request('http://localhost/mcp', { method: 'POST', headers });
  const answer = await answerMcp(
    nobody(() => undefined),
    request,
    message,
  );
  const info = { name: 'cloud-browser', version: packageVersion() };
  assert.ok((await answer.text()).includes(`"serverInfo":${JSON.stringify(info)}`));
});

describe('the tool request_human', () => {
  it('says how to go on if nobody answers', async () => {
    const { text, calls } = await ask({ instructions: 'Log in.' });
    assert.match(text, /id "one" to keep waiting\. Add withdraw: true to go on without a person/);
    assert.deepEqual(calls, ['request Log in.', 'answer one']);
  });

  it('says how to withdraw the request if the wait fails', async () => {
    const browser: McpBrowser = {
      ...nobody(() => undefined),
      humanAnswer: () => Promise.reject(new Error('Try again in 3 seconds.')),
    };
    await assert.rejects(run(browser, { instructions: 'Log in.' }), {
      message:
        'Try again in 3 seconds. The request may still be open. Call request_human with id "one" to keep waiting. Add withdraw: true to go on without a person.',
    });
    await assert.rejects(run(browser, { id: 'one' }), { message: 'Try again in 3 seconds.' });
  });

  it('waits on for an earlier request, or withdraws it', async () => {
    assert.deepEqual((await ask({ id: 'one' })).calls, ['answer one']);
    const { text, calls } = await ask({ id: 'one', withdraw: true });
    assert.deepEqual([text, calls], ['Outcome: withdrawn.', ['withdraw one']]);
  });
});

describe('the tool screenshot', () => {
  /** Takes a screenshot in a session that refuses pictures in PNG. Returns the formats of the calls. */
  async function take(refusal: Error): Promise<{ formats: unknown[]; type: string }> {
    const formats: unknown[] = [];
    const browser: McpBrowser = {
      ...nobody(() => undefined),
      call: (_method, options) => {
        const { format } = options as { format?: string };
        formats.push(format);
        if (format === 'png') return Promise.reject(refusal);
        return Promise.resolve({ format, data: '' } as never);
      },
    };
    const [content] = (await TOOLS.find(({ name }) => name === 'screenshot')?.run(browser, {})) ?? [];
    return { formats, type: content?.type === 'image' ? content.mimeType : 'nothing' };
  }

  it('returns a JPEG if the PNG is too large, because the model cannot choose the format', async () => {
    const refusal = new ServiceRequestError('err_picture_too_large', 'Use format jpeg.');
    assert.deepEqual(await take(refusal), { formats: ['png', 'jpeg'], type: 'image/jpeg' });
  });

  it('fails for every other reason', async () => {
    await assert.rejects(take(new ServiceRequestError('err_forbidden', 'Not now.')), /Not now/);
  });
});

describe('the tool drag', () => {
  it('sends the element and the place to drop it as a path', async () => {
    const calls: unknown[] = [];
    const call = (...sent: unknown[]) => Promise.resolve(void calls.push(sent) as never);
    const browser: McpBrowser = { ...nobody(() => undefined), call };
    const tool = TOOLS.find(({ name }) => name === 'drag');
    await tool?.run(browser, { ref: 'e7', to_x: 5, to_y: 6 });
    const path = [
      { ref: 'e7', x: undefined, y: undefined },
      { ref: undefined, x: 5, y: 6 },
    ];
    assert.deepEqual(calls[0], ['drag', { path }]);
  });
});

describe('the tool snapshot', () => {
  const page = { text: '- button "B" [ref=e1]', complete: true, url: 'https://a.test/', title: 'A' };

  /** Returns the text of the tool for this page. */
  async function textOf(answer: object): Promise<string> {
    const browser = { ...nobody(() => undefined), call: () => Promise.resolve({ ...page, ...answer }) };
    const tool = TOOLS.find(({ name }) => name === 'snapshot');
    const [content] = (await tool?.run(browser as unknown as McpBrowser, {})) ?? [];
    assert.ok(content?.type === 'text');
    return content.text;
  }

  it('says why the text is not that of the whole page', async () => {
    const dialog = { type: 'alert', message: 'Hi', defaultPrompt: '', url: page.url };
    const incomplete = { complete: false };
    assert.match(await textOf(incomplete), /\(The page has more nodes\.\)$/);
    assert.match(
      await textOf({ ...incomplete, next: 'e9' }),
      /more nodes\. Use snapshot with after: "e9" to read on\.\)$/,
    );
    assert.match(await textOf({ ...incomplete, loading: true }), /The web server has not answered yet/);
    assert.match(await textOf({ sign_in: true }), /asks for a user name and a password.*request_human/);
    assert.match(await textOf({ pdf: true }), /is a PDF.*screenshot.*Control\+P.*read_file/);
    for (const more of [{ dialog }, { loading: true }])
      assert.doesNotMatch(await textOf({ ...incomplete, ...more }), /more nodes/);
  });
});

describe('the tools open and tabs', () => {
  /** Uses a tool of a browser with these results. Returns its text. */
  const textOf = async (tool: string, results: Record<string, object>) => {
    const call = (method: string) => Promise.resolve((results[method] ?? {}) as never);
    const browser: McpBrowser = { ...nobody(() => undefined), call };
    const [content] = (await TOOLS.find(({ name }) => name === tool)?.run(browser, { url: 'a.test' })) ?? [];
    return content?.type === 'text' ? content.text : '';
  };
  const accessibility = { text: '- old', complete: true, url: 'https://a.test/', title: 'Old' };

  it('say that the page is the page before, because the address is a file or has no document', async () => {
    const opened = (unchanged?: string) =>
      textOf('open', { open: { done: true, ...(unchanged && { unchanged }) }, accessibility });
    assert.match(await opened(), /^Page: "Old"/);
    assert.match(
      await opened('download'),
      /^The address is a file, .* Use files .*the page before\.\nPage: "Old"/,
    );
    assert.match(await opened('no_document'), /^The web server sent no document, .*\nPage: "Old"/);
  });

  it('say that the web server has not answered yet', async () => {
    const tabs = [{ id: 5, title: 'Old', url: 'https://a.test/', active: true }];
    assert.match(await textOf('tabs', { tabs: { tabs, loading: true } }), /has not answered yet.*\n\* 5:/);
    assert.equal(await textOf('tabs', { tabs: { tabs } }), '* 5: "Old" https://a.test/');
  });
});

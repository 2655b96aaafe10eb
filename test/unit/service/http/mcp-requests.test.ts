import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { HandoffState } from 'cloud-browser/protocol';
import { askService, remoteBrowser } from '../../../../server/src/mcp/remote-browser.js';
import { TOOLS } from '../../../../server/src/mcp/tools.js';
import { ApiCaller } from '../../../fakes/api-caller.js';
import { createTestService, type TestService } from '../../../fakes/test-service.js';

/** The command prints an error with such a code as a sentence, without its stack. */
describe('an error of the command mcp', () => {
  let server: Server;
  let url: string;
  before(async () => {
    server = createServer((request, response) => {
      if (request.url === '/page') return response.end('<h1>Sign in</h1>');
      if (request.url === '/broken') return response.write('{"id":', () => response.destroy());
      const isKnown = request.url === '/v0/vm';
      const body = JSON.stringify({ code: 'err_exceeded_vm_limit', message: 'No session is free.' });
      return response.writeHead(isKnown ? 400 : 502).end(isKnown ? body : '<h1>Bad gateway</h1>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  it('has the code and the sentence of the service', async () => {
    await assert.rejects(askService(`${url}/v0/vm`, 'key', {}), {
      code: 'err_exceeded_vm_limit',
      message: 'No session is free.',
    });
  });

  it('has a code if a proxy answers', async () => {
    await assert.rejects(askService(`${url}/other`, 'key', {}), {
      code: 'err_bad_answer',
      message: 'The service answered with the status 502.',
    });
  });

  it('names the variable to check if another program answers', async () => {
    await assert.rejects(askService(`${url}/page`, 'key', {}), {
      code: 'err_bad_answer',
      message: `${url} did not answer like the service. Check CLOUD_BROWSER_URL.`,
    });
  });

  it('says that the connection broke during the answer', async () => {
    await assert.rejects(askService(`${url}/broken`, 'key', {}), {
      code: 'err_bad_answer',
      message: `The connection to the service at ${url} ended before the whole answer came.`,
    });
  });

  it('names the address of a service that does not answer', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await assert.rejects(askService(`http://127.0.0.1:${port}/v0/vm`, 'key', {}), {
      code: 'err_unreachable',
      message: `The service at http://127.0.0.1:${port} does not answer. Check CLOUD_BROWSER_URL.`,
    });
  });
});

describe('the tool request_human of the command mcp', () => {
  const waiting: HandoffState = {
    ...{ id: 'h1', name: 'Helper', agent: null, instructions: 'Log in.' },
    requestedAt: '2030-01-01T00:00:00.000Z',
    expiresAt: '2030-01-01T00:10:00.000Z',
    ...{ outcome: null, note: '', answeredBy: null },
  };
  let service: TestService;
  before(async () => {
    service = await createTestService();
    await service.app.listen({ host: '127.0.0.1', port: 0 });
  });
  after(() => service.close());

  /**
   * Uses the tool. Returns its text, and the seconds of the waits in the session's host.
   *
   * @param answeredAt number of the wait that a person answers
   */
  async function requestHuman(answeredAt = Infinity): Promise<{ text: string; waits: unknown[] }> {
    const begun = await new ApiCaller(service).begin({ automation: true });
    const waits: unknown[] = [];
    service.pool.last.perform = (method, args) => {
      if (method === 'handoffs.get') waits.push(args[1]);
      return waits.length < answeredAt ? waiting : { ...waiting, outcome: 'done' };
    };
    const { port } = service.app.server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}${new URL(begun.embed_url).pathname}`;
    const tool = TOOLS.find(({ name }) => name === 'request_human') ?? assert.fail();
    const browser = remoteBrowser({ url, token: begun.admin_token });
    const [content] = await tool.run(browser, { instructions: 'Log in.' });
    return { text: content?.type === 'text' ? content.text : assert.fail(), waits };
  }

  it('waits for 45 seconds, and then returns the id of the request', async () => {
    const { text, waits } = await requestHuman();
    assert.match(text, /^Nobody has answered yet\. .* "h1"/);
    assert.deepEqual(waits, [8, 8, 8, 1, 8, 8, 4]);
  });

  it('returns as soon as a person has answered', async () => {
    const { text, waits } = await requestHuman(2);
    assert.equal(text, 'Outcome: done.');
    assert.deepEqual(waits, [8, 8]);
  });
});

/** As MCP requires, clients send such headers with every request after the first. */
it('a page of a listed origin may send the headers of MCP', async () => {
  const origin = 'https://shop.example';
  const service = await createTestService({ origins: [origin] });
  try {
    const { embed_url: url } = await new ApiCaller(service).begin({ automation: true });
    const { statusCode, headers } = await service.app.inject({
      ...{ method: 'OPTIONS', url: `${new URL(url).pathname}/mcp` },
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    assert.equal(statusCode, 204);
    const allowed = String(headers['access-control-allow-headers']).split(', ');
    for (const name of ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'])
      assert.ok(allowed.includes(name), name);
  } finally {
    await service.close();
  }
});

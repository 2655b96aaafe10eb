import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { askService } from '../../../../server/src/mcp/remote-browser.js';

/** The command prints an error with such a code as a sentence, without its stack. */
describe('an error of the command mcp', () => {
  let server: Server;
  let url: string;
  before(async () => {
    server = createServer((request, response) => {
      const isKnown = request.url === '/v0/vm';
      const body = JSON.stringify({ code: 'err_unauthenticated', message: 'The credential is wrong.' });
      response.writeHead(isKnown ? 401 : 502).end(isKnown ? body : '<h1>Bad gateway</h1>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  it('has the code and the sentence of the service', async () => {
    await assert.rejects(askService(`${url}/v0/vm`, 'key', {}), {
      code: 'err_unauthenticated',
      message: 'The credential is wrong.',
    });
  });

  it('has a code if a proxy answers', async () => {
    await assert.rejects(askService(`${url}/other`, 'key', {}), {
      code: 'err_bad_answer',
      message: 'The service answered with the status 502.',
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

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const module = fileURLToPath(new URL('../../server/src/mcp/stdio.ts', import.meta.url));
const CREATED = { session_id: 'one', embed_url: 'http://localhost/one?token=a', admin_token: 'b' };

let requests: string[];
/** Bodies of the requests that have one. */
let bodies: string[];
/** Called when a request has arrived. The response follows. */
let onRequest: (request: string) => void;
let service: Server;
beforeEach(async () => {
  requests = [];
  bodies = [];
  onRequest = () => undefined;
  service = createServer((incoming, response) => {
    const request = `${incoming.method} ${incoming.url}`;
    requests.push(request);
    onRequest(request);
    void text(incoming).then((body) => {
      if (body !== '') bodies.push(body);
      response.end(JSON.stringify(CREATED));
    });
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
});
afterEach(() => {
  service.closeAllConnections();
  service.close();
});

/** Starts the command `cloud-browser mcp` with a session of its own. */
function startCommand(): ChildProcess {
  const target = { service: `http://127.0.0.1:${(service.address() as AddressInfo).port}`, apiKey: 'key' };
  const script = `import(${JSON.stringify(module)}).then(async ({ runMcp }) => {
    await runMcp(${JSON.stringify(target)}, () => undefined);
    process.exit(0);
  })`;
  return spawn(process.execPath, ['--import', 'tsx', '-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
}

describe('the command for MCP', () => {
  it('ends its session when its input ends', async () => {
    const command = startCommand();
    const gone = once(command, 'exit');
    command.stdin?.end();
    assert.deepEqual(await gone, [0, null]);
    assert.deepEqual(requests, ['POST /v0/vm', 'DELETE /v0/vm/one']);
  });

  it('starts a session in which all of its tools work', async () => {
    const command = startCommand();
    const gone = once(command, 'exit');
    command.stdin?.end();
    await gone;
    const { automation } = JSON.parse(bodies[0] ?? '') as { automation: { roles: string[] } };
    assert.deepEqual(automation.roles, ['control', 'chrome_apis', 'resize', 'file_download', 'file_upload']);
  });

  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const)
    it(`ends its session if ${signal} arrives while the session starts`, async () => {
      const command = startCommand();
      const gone = once(command, 'exit');
      onRequest = (request) => {
        if (request.startsWith('POST')) command.kill(signal);
      };
      assert.deepEqual(await gone, [0, null]);
      assert.deepEqual(requests, ['POST /v0/vm', 'DELETE /v0/vm/one']);
    });
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { runMcp } from '../../../../server/src/mcp/stdio.js';
import { ManualClock } from '../../../fakes/manual-clock.js';

/** A service that answers a request only when a test does. */
let service: Server;
let clock: ManualClock;
let target: { service: string; apiKey: string };
beforeEach(async () => {
  clock = new ManualClock();
  service = createServer().listen(0, '127.0.0.1');
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  target = { service: `http://127.0.0.1:${port}`, apiKey: 'key' };
});
afterEach(() => {
  service.closeAllConnections();
  service.close();
});

type Exchange = [IncomingMessage, ServerResponse];
const nextRequest = () => once(service, 'request') as Promise<Exchange>;

/** Runs the command until its create request has arrived, and then sends the command a signal. */
async function stopDuringCreate() {
  let told = '';
  let tellNext: () => void = () => undefined;
  const toldOnce = new Promise<void>((resolve) => (tellNext = resolve));
  const requested = nextRequest();
  const tell = (line: string) => {
    told += `${line}\n`;
    tellNext();
  };
  const ended = runMcp(target, tell, clock);
  const [request, response] = await requested;
  assert.deepEqual([request.method, request.url], ['POST', '/v0/vm']);
  process.emit('SIGHUP', 'SIGHUP');
  await toldOnce;
  return { ended, response, told: () => told };
}

describe('the command mcp that gets a signal while the service starts its session', () => {
  it('ends if the service does not answer soon', async () => {
    const { ended, told } = await stopDuringCreate();
    assert.match(told(), /^Stopping\. Waiting up to 10 seconds /);
    clock.advance(10_000);
    await ended;
    assert.match(told(), /The service did not answer\..* after 30 minutes without use\.\n$/);
  });

  it('ends the session if the service answers soon', async () => {
    const { ended, response } = await stopDuringCreate();
    const next = nextRequest();
    const embed = `${target.service}/abc?token=t`;
    response.end(JSON.stringify({ session_id: 'one', embed_url: embed, admin_token: 'a' }));
    const [request, answer] = await next;
    assert.deepEqual([request.method, request.url], ['DELETE', '/v0/vm/one']);
    answer.end('{}');
    await ended;
    assert.equal(clock.pending, 0);
  });
});

describe('the command mcp with a wrong key', () => {
  it('names the variables to check', async () => {
    const requested = nextRequest();
    const ended = runMcp(target, () => undefined, clock);
    const refused = assert.rejects(ended, {
      code: 'err_unauthenticated',
      message: /Check CLOUD_BROWSER_TOKEN or, if it is not set, CLOUD_BROWSER_API_KEY\.$/,
    });
    const [, response] = await requested;
    response.statusCode = 401;
    response.end(
      JSON.stringify({ code: 'err_unauthenticated', message: 'Send the header "Authorization".' }),
    );
    await refused;
  });
});

describe('the command mcp that ends', () => {
  it('does not wait long if the service does not confirm the end of its session', async () => {
    const { ended, response, told } = await stopDuringCreate();
    const next = nextRequest();
    const embed = `${target.service}/abc?token=t`;
    response.end(JSON.stringify({ session_id: 'one', embed_url: embed, admin_token: 'a' }));
    const [request] = await next;
    assert.deepEqual([request.method, request.url], ['DELETE', '/v0/vm/one']);
    clock.advance(10_000);
    await ended;
    const message = `The service has not confirmed the end of the session after 10 seconds. If the request did not arrive, the session ends after 30 minutes without use.\n`;
    assert.ok(told().endsWith(message), told());
  });
});

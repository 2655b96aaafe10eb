import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { EgressGuard } from '../../../server/src/egress/guard.js';
import { NameResolver, type Address } from '../../../server/src/egress/name-resolver.js';
import { PacRouter } from '../../../server/src/egress/pac/pac-router.js';
import { EgressRules } from '../../../server/src/platform/network/egress-rules.js';

/**
 * Program of a thread, in place of the one with QuickJS. Looks up the host of each address and returns
 * `DIRECT`. Computes without an end for `endless.example`.
 */
const PROGRAM = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ type, id, url }) => {
    if (type === 'address') return parentPort.postMessage({ type: 'found', id, answer: 'DIRECT' });
    const host = new URL(url).hostname;
    while (host === 'endless.example');
    parentPort.postMessage({ type: 'lookUp', id, host });
  });
`;
const DIRECT = [{ kind: 'direct' }];

let router: PacRouter;
afterEach(() => router.close());

/**
 * Makes a router. Its name server does not answer for `silent.example` before the returned function is
 * called.
 */
function open(pac = 'a script'): () => void {
  let answer: () => void = () => undefined;
  const silent = new Promise<void>((resolve) => (answer = resolve));
  const resolve = async (name: string): Promise<Address[]> => {
    if (name === 'silent.example') await silent;
    return [{ address: '93.184.216.34', family: 4 }];
  };
  const resolver = new NameResolver({ resolve });
  const rules = EgressRules.parse(['127.0.0.1']);
  assert.ok(rules);
  const guard = new EgressGuard({ rules, resolver, servicePort: () => undefined });
  router = new PacRouter({
    ...{ pac, guard, engine: new Uint8Array(), program: PROGRAM },
    answerLimit: 1_000,
  });
  return answer;
}

describe("a session's proxy script", () => {
  it('is reported as unusable if its server interrupts the download', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('function FindProxyForURL', () => response.destroy());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    open(`http://127.0.0.1:${port}/proxy.pac`);
    await assert.rejects(router.routes('http://a.example/'), { code: 'err_egress_proxy' });
    server.close();
  });

  it('continues after a request for a name of a silent name server', async () => {
    const answer = open();
    assert.deepEqual(await router.routes('http://a.example/'), DIRECT);
    await assert.rejects(router.routes('http://silent.example/'), /does not answer/);
    assert.deepEqual(await router.routes('http://b.example/'), DIRECT);
    answer();
    assert.deepEqual(await router.routes('http://silent.example/'), DIRECT);
  });

  it('is ended if it computes without an end', async () => {
    open();
    assert.deepEqual(await router.routes('http://a.example/'), DIRECT);
    await assert.rejects(router.routes('http://endless.example/'), /does not answer/);
    await assert.rejects(router.routes('http://b.example/'), /was ended/);
  });

  it('is ended if it computes without an end while a name is being looked up', async () => {
    const answer = open();
    await Promise.all(
      ['silent', 'endless'].map((name) =>
        assert.rejects(router.routes(`http://${name}.example/`), /does not answer/),
      ),
    );
    answer();
    await assert.rejects(router.routes('http://b.example/'), /does not answer/);
    await assert.rejects(router.routes('http://c.example/'), /was ended/);
  });
});

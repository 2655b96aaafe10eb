import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { describe, it, mock } from 'node:test';
import { OwnNetwork } from '../../../../server/src/host/sandbox/own-network.js';
import { ManagedProcess } from '../../../../server/src/platform/process/child-process.js';

const ASK = `for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
  exec 3<>/dev/tcp/127.0.0.1/3128; cat <&3; done`;

/** When the child is killed, its helper is no longer a child of this process. */
const LATE = 'setsid --fork sh -c \'"$@"; :\' sh "$@"; exec sleep 60';

/** Resolves to the answer that a program in the network receives. */
async function ask(network: OwnNetwork): Promise<string> {
  const { command, args, descriptors } = network.inside(['timeout', '20', 'bash', '-c', ASK], 3);
  const asking = ManagedProcess.start({
    ...{ name: 'asking', command, args, cwd: '/', env: { PATH: '/usr/bin:/bin' }, extraStdio: descriptors },
  });
  return (await asking.exited).logTail;
}

describe('a separate network', () => {
  it('answers each connection by the owner of its socket, even if its helper ends late', async () => {
    const network = await OwnNetwork.open(['sh', '-c', LATE, 'sh']);
    const server = createServer((socket) => socket.end('here\n')).listen((await network.listener) as Server);
    await once(server, 'listening');
    try {
      assert.equal(await ask(network), Array<string>(16).fill('here').join('\n'));
    } finally {
      network.close();
      server.close();
    }
  });

  it('is abandoned when its helper is silent, and when it ends', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const silent = assert.rejects(OwnNetwork.open(['sh', '-c', 'exec sleep 60', 'sh']), /not answer in time/);
    mock.timers.tick(15_000);
    mock.timers.reset();
    await silent;
    const ends = OwnNetwork.open(['sh', '-c', 'echo It may not. >&2', 'sh']);
    await assert.rejects(ends, { code: 'err_no_network_namespace', message: /It may not/ });
  });
});

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { clusterFixture } from './support/fixture.js';
import { ask, freePort } from './support/nodes.js';

const CLI = fileURLToPath(new URL('../../server/dist/cli.js', import.meta.url));
/** Exit code that the shipped units do not restart: EX_CONFIG of sysexits.h. */
const WRONG_CONFIGURATION = 78;
/** Time after which a process that is not refused is ended. */
const EXIT_LIMIT_MS = 60_000;

describe('a second machine with the name of a running node', () => {
  const cluster = clusterFixture(1);

  it('is refused with an error and an exit code after which supervisors do not restart it', async () => {
    const node = cluster.nodes.at(0);
    const before = await ask(node.url, 'POST', '/v0/vm', { body: {} });
    assert.equal(before.status, 200);
    const directory = join(node.directory, '..', 'clone');
    // The users of sessions pass through.
    await mkdir(directory, { mode: 0o711 });
    const clone = spawn(process.execPath, [CLI], {
      env: {
        PATH: process.env['PATH'],
        ...node.settings,
        ...{ PORT: String(await freePort()), STATE_DIR: join(directory, 'state') },
        RUNTIME_DIR: join(directory, 'run'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: EXIT_LIMIT_MS,
    });
    const [output, errors, [code]] = await Promise.all([
      text(clone.stdout),
      text(clone.stderr),
      once(clone, 'exit') as Promise<[number | null]>,
    ]);
    assert.equal(code, WRONG_CONFIGURATION, output + errors);
    assert.match(output + errors, /Another process runs as the node node-1, at http.*Set NODE_NAME/);
    assert.equal((await ask(node.url, 'GET', '/readyz')).status, 200);
    const { session_id: id } = before.body as { session_id: string };
    const { body: session } = await ask(node.url, 'GET', `/v0/vm/${id}`);
    assert.equal((session as { state: string }).state, 'running');
  });
});

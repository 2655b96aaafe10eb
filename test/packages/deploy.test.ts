import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { SERVICE_PACKAGES } from '../../scripts/lib/debian-packages.mjs';
import { ManagedProcess } from '../../server/src/platform/child-process.js';
import { node, ROOT } from './support.js';

const run = promisify(execFile);
const dockerfile = readFileSync(`${ROOT}deploy/Dockerfile`, 'utf8');
const ANALYZE = '/usr/bin/systemd-analyze';
/** The image's user. */
const USER = Number(/^USER (\d+):/m.exec(dockerfile)?.[1]);

describe('what deploys the service', () => {
  it('is as Docker, Compose and Kubernetes read it, and fits together', async () => {
    await node(['packaging/lint-deploy.mjs']);
  });

  it('installs the Debian packages that the service needs', () => {
    const line = SERVICE_PACKAGES.map(({ name }) => name).join(' ');
    assert.ok(dockerfile.includes(`    ${line} \\\n`), line);
  });

  it('starts the command of the package', () => {
    const { bin } = JSON.parse(readFileSync(`${ROOT}server/package.json`, 'utf8')) as { bin: object };
    const command = JSON.parse(/^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
    assert.deepEqual(command, Object.keys(bin));
  });

  it('asks for the health of the service, and believes the answer', async () => {
    const [command = '', ...args] = JSON.parse(
      /^ {2}CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]',
    ) as string[];
    let status = 200;
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/livez' ? status : 404).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const env = { PATH: process.env['PATH'], PORT: `${(server.address() as AddressInfo).port}` };
    await run(command, args, { env });
    status = 503;
    await assert.rejects(run(command, args, { env }));
    server.close();
  });

  it('is a unit that systemd takes', { skip: !existsSync(ANALYZE) && 'there is no systemd' }, async () => {
    const { stderr } = await run(ANALYZE, ['verify', '--man=no', `${ROOT}deploy/cloud-browser.service`]);
    assert.equal(stderr, '');
  });

  it(
    'needs no capability and no privilege to come',
    { skip: process.getuid?.() !== 0 && 'only root becomes another user' },
    async () => {
      const directory = mkdtempSync(join(tmpdir(), 'cloud-browser-deploy-'));
      chownSync(directory, USER, USER);
      const service = ManagedProcess.start({
        name: 'service',
        command: 'setpriv',
        args: [
          ...[
            `--reuid=${USER}`,
            `--regid=${USER}`,
            '--clear-groups',
            '--bounding-set=-all',
            '--inh-caps=-all',
          ],
          ...['--', process.execPath, `${ROOT}server/dist/cli.js`],
        ],
        cwd: '/',
        env: {
          PATH: '/usr/bin:/bin',
          HOME: directory,
          PORT: '0',
          API_KEYS: 'deploy',
          STATE_DIR: join(directory, 'state'),
          RUNTIME_DIR: join(directory, 'run'),
          DRAIN_SECONDS: '0',
        },
      });
      while (service.running && !service.logTail.includes('ready: http'))
        await new Promise((resolve) => setTimeout(resolve, 50));
      const said = service.logTail;
      await service.stop();
      rmSync(directory, { recursive: true, force: true });
      assert.match(said, /ready: http/);
    },
  );
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { SERVICE_PACKAGES } from '../../scripts/lib/debian-packages.mjs';
import { LIMIT_VARIABLES } from '../../server/src/config/variables/limits.js';
import { MAX_HOLD_SECONDS } from '../../server/src/create-fields/values/automation-request.js';
import { ManagedProcess } from '../../server/src/platform/process/child-process.js';
import { withTimeout } from '../../server/src/platform/time/timeout.js';
import { PROXIES as RUNNING_PROXIES } from '../cluster/support/proxies.js';
import { node, ROOT } from './support.js';

const run = promisify(execFile);
const dockerfile = readFileSync(`${ROOT}deploy/Dockerfile`, 'utf8');
const ANALYZE = '/usr/bin/systemd-analyze';
/** Name, file and the command that checks the file. nginx wants to create its log and pid file. */
const PROXIES = [
  ['HAProxy', 'haproxy.cfg', 'haproxy', '-c', '-f'],
  ['nginx', 'nginx.conf', 'nginx', '-t', '-e', 'stderr', '-c'],
] as const;
/** The image's user. */
const USER = Number(/^USER (\d+):/m.exec(dockerfile)?.[1]);

describe('the deployment files', () => {
  it('are valid for Docker, Compose and Kubernetes, and match each other', async () => {
    await node(['packaging/lint-deploy.mjs']);
  });

  it('install the Debian packages that the service needs', () => {
    const line = SERVICE_PACKAGES.map(({ name }) => name).join(' ');
    assert.ok(dockerfile.includes(`    ${line} \\\n`), line);
  });

  it('run the check of the package and then its command', () => {
    const { bin } = JSON.parse(readFileSync(`${ROOT}server/package.json`, 'utf8')) as { bin: object };
    const command = JSON.parse(/^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
    const [name = ''] = Object.keys(bin);
    assert.deepEqual(command, ['sh', '-c', `${name} --check && exec ${name}`]);
    const unit = readFileSync(`${ROOT}deploy/cloud-browser.service`, 'utf8');
    const starts = [...unit.matchAll(/^(ExecStart\w*)=(.+)$/gm)].map(([, when, what]) => [when, what]);
    assert.deepEqual(starts, [
      ['ExecStartPre', `/usr/bin/env ${name} --check`],
      ['ExecStart', `/usr/bin/env ${name}`],
    ]);
  });

  it('keep the files of running sessions when the machine starts again', () => {
    const unit = readFileSync(`${ROOT}deploy/cloud-browser.service`, 'utf8');
    const path = /^Environment=RUNTIME_DIR=(.+)$/m.exec(unit)?.[1] ?? '';
    assert.match(path, /^\/var\/lib\/[^/]+$/);
    // The user ids of sessions cannot enter the state directory.
    const state = /^StateDirectory=(.+)$/m.exec(unit)?.[1] ?? '';
    assert.notEqual(path, `/var/lib/${state}`);
  });

  it('contain no API key', () => {
    assert.match(readFileSync(`${ROOT}deploy/kubernetes.yaml`, 'utf8'), /^ {2}API_KEYS: ''$/m);
  });

  it('stop the service before a PostgreSQL server on the same machine', () => {
    const unit = readFileSync(`${ROOT}deploy/cloud-browser.service`, 'utf8');
    assert.match(unit, /^After=.*\bpostgresql\.service\b/m);
  });

  it('start the service after the clock is synchronized', () => {
    const unit = readFileSync(`${ROOT}deploy/cloud-browser.service`, 'utf8');
    assert.ok(/^After=(.+)$/m.exec(unit)?.[1]?.split(' ').includes('time-sync.target'));
  });

  it('contain a health check that fails when the service is unhealthy', async () => {
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

  it(
    'contain a unit that systemd accepts',
    { skip: !existsSync(ANALYZE) && 'there is no systemd' },
    async () => {
      const { stderr } = await run(ANALYZE, ['verify', '--man=no', `${ROOT}deploy/cloud-browser.service`]);
      assert.equal(stderr, '');
    },
  );

  for (const [name, file, command, ...args] of PROXIES)
    it(`contain a configuration that ${name} loads from another folder`, async () => {
      const beside = mkdtempSync(join(tmpdir(), 'cloud-browser-deploy-'));
      try {
        cpSync(`${ROOT}deploy`, beside, { recursive: true });
        // In the repository, and as an operator copies the files.
        for (const folder of [`${ROOT}deploy`, beside]) {
          const { stdout, stderr } = await run(command, [...args, join(folder, file)], { cwd: '/' });
          assert.doesNotMatch(`${stdout}${stderr}`, /\b(warn(ing)?|alert|emerg|error)\b/i);
        }
      } finally {
        rmSync(beside, { recursive: true, force: true });
      }
    });

  it('let nginx open as many files as it has connections, and log no query strings', () => {
    const text = readFileSync(`${ROOT}deploy/nginx.conf`, 'utf8');
    const numberOf = (name: string) => Number(new RegExp(`^ *${name} (\\d+);$`, 'm').exec(text)?.[1]);
    assert.ok(numberOf('worker_rlimit_nofile') > numberOf('worker_connections'));
    assert.match(text, /^ *access_log off;$/m);
    assert.match(text, /^error_log stderr crit;$/m);
  });

  it('let no proxy serve requests as root', () => {
    // nginx changes to a user without rights by itself.
    const text = readFileSync(`${ROOT}deploy/haproxy.cfg`, 'utf8');
    assert.match(text, /^ *user haproxy\n *group haproxy$/m);
  });

  it('let a call of a program wait as long as the service does, and send a whole file', () => {
    const proxies = ['deploy/nginx.conf', 'deploy/haproxy.cfg', 'docs/operating.md'];
    for (const file of proxies) {
      const text = readFileSync(`${ROOT}${file}`, 'utf8');
      const [, wait, unit] = /^ *(?:proxy_read_timeout|timeout server) (\d+)([sh]);?$/m.exec(text) ?? [];
      assert.ok(Number(wait) * (unit === 'h' ? 3_600 : 1) > MAX_HOLD_SECONDS, file);
      const [, size] = /^ *client_max_body_size (\d+)m;$/m.exec(text) ?? [];
      if (size !== undefined) assert.ok(Number(size) >= LIMIT_VARIABLES.MAX_FILE_MB.default, file);
    }
  });

  for (const [name, start] of Object.entries(RUNNING_PROXIES))
    it(`let ${name} tell the service that the client of a call has gone`, async () => {
      const client = new AbortController();
      let onGone = () => {};
      const gone = new Promise<void>((resolve) => (onGone = resolve));
      // Does not answer the call, as if the call waits until a person gives control back.
      const node = createServer((request, response) => {
        if (request.method !== 'POST') return void response.end();
        response.once('close', onGone);
        client.abort();
      }).listen(0, '127.0.0.1');
      await once(node, 'listening');
      const { port } = node.address() as AddressInfo;
      const proxy = await start({ all: Array<{ port: number }>(3).fill({ port }) });
      try {
        const { signal } = client;
        await assert.rejects(fetch(`${proxy.url}/v0/vm/`, { method: 'POST', body: '{}', signal }));
        assert.ok(
          await withTimeout(
            gone.then(() => true),
            5_000,
            () => false,
          ),
        );
      } finally {
        await proxy.stop();
        node.closeAllConnections();
        node.close();
      }
    });

  it(
    "start HAProxy in the same way as Debian's unit",
    { skip: process.getuid?.() !== 0 && 'only root mounts a folder' },
    async () => {
      const files = 'cp deploy/haproxy.cfg deploy/haproxy-nodes.map /etc/haproxy/';
      const check = 'cd / && exec haproxy -Ws -f /etc/haproxy/haproxy.cfg -c -q';
      const script = `mount -t tmpfs none /etc/haproxy && ${files} && ${check}`;
      const { stderr } = await run('unshare', ['--mount', 'sh', '-ec', script], { cwd: ROOT });
      assert.equal(stderr, '');
    },
  );

  it(
    'pass the check without capabilities and without new privileges',
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
          ...[
            '--',
            'sh',
            '-c',
            '"$0" "$1" --check && exec "$0" "$1"',
            process.execPath,
            `${ROOT}server/dist/cli.js`,
          ],
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

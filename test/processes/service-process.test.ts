import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { packageVersion } from '../../server/src/platform/files/package-files.js';
import { processesOf } from '../../server/src/pool/processes.js';
import { inGroup, ownGroup, removeGroup } from '../support/own-group.js';
import { placesIn } from '../fakes/places-in.js';

/** The built program. */
const cli = fileURLToPath(new URL('../../server/dist/cli.js', import.meta.url));
const onScriptedHosts = fileURLToPath(new URL('../fakes/run-service.ts', import.meta.url));
const UID_BASE = 1_766_000;

let base: string;
const running = new Set<ChildProcessWithoutNullStreams>();
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'cloud-browser-process-'));
  // The users of sessions must have access.
  await chmod(base, 0o711);
});
afterEach(async () => {
  for (const child of running) child.kill('SIGKILL');
  await rm(base, { recursive: true, force: true });
});

/** @param through a command that becomes the one behind it */
function run(
  module: string,
  environment: Record<string, string> = {},
  args: string[] = [],
  through: readonly string[] = [],
) {
  const loader = module.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const line = [...through, process.execPath, ...loader, module, ...args];
  const child = spawn(line[0] ?? '', line.slice(1), {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      STATE_DIR: join(base, 'state'),
      RUNTIME_DIR: join(base, 'run'),
      SESSION_UID_BASE: String(UID_BASE),
      API_KEYS: 'k',
      WARM_HOSTS: '0',
      WARM_BROWSERS: '0',
      ...environment,
    },
  });
  running.add(child);
  let output = '';
  let errors = '';
  child.stdout.on('data', (data) => (output += String(data)));
  child.stderr.on('data', (data) => (errors += String(data)));
  const exited = once(child, 'exit').then(([code]) => {
    running.delete(child);
    return { code: code as number | null, output, errors };
  });
  return { child, exited };
}

/** Output of a service about one address or setting. */
async function ready(
  child: ChildProcessWithoutNullStreams,
  sought = /http:\/\/localhost:\d+/,
): Promise<string> {
  for await (const [chunk] of on(child.stdout, 'data', { close: ['end'] })) {
    const found = sought.exec(String(chunk))?.[0];
    if (found) return found;
  }
  throw new Error('The service did not print what was awaited.');
}

describe('the command', () => {
  it('prints its help', async () => {
    const { code, output } = await run(cli, {}, ['--help']).exited;
    assert.equal(code, 0);
    assert.match(output, /Usage: .*PORT .*API_KEYS /s);
  });

  it('prints its version', async () => {
    const { code, output } = await run(cli, {}, ['--version']).exited;
    assert.deepEqual([code, output], [0, `${packageVersion()}\n`]);
  });

  it('prints the help of each topic, wherever the option is', async () => {
    for (const [args, found] of [
      [['mcp', '--help'], /Usage: cloud-browser mcp\n.*CLOUD_BROWSER_URL .*CLOUD_BROWSER_TOKEN .*_API_KEY /s],
      [['--help', 'mcp'], /Usage: cloud-browser mcp\n/],
      [['create', '--help'], /Fields of the JSON body.* start_url /s],
    ] as const) {
      const { code, output } = await run(cli, {}, [...args]).exited;
      assert.equal(code, 0);
      assert.match(output, found);
    }
  });

  it('reports an unknown argument or option in one line', async () => {
    const calls = [['x'], ['create'], ['x', '--help'], ['--chek'], ['mcp', 'x'], ['mcp', '--check']];
    for (const args of calls) {
      const { code, output, errors } = await run(cli, {}, args).exited;
      assert.deepEqual([code, output], [1, '']);
      assert.match(errors, /^The argument "[\w-]+" is not valid here\. Use one of [^\n]+\.\n$/);
    }
  });

  it('reports each invalid setting in one line', async () => {
    const { code, errors } = await run(cli, { PORT: 'x', LOG_LEVEL: 'x' }).exited;
    assert.equal(code, 1);
    assert.equal(errors.trim().split('\n').length, 3);
  });

  it('reports in one line that its port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, errors } = await run(cli, { PORT: String(port) }).exited;
    server.close();
    assert.equal(code, 1);
    assert.match(errors, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is used by another program\\. .*\\n$`));
  });

  it('uses the control group in which it is alone', async (test) => {
    const group = ownGroup();
    if (group === undefined) return test.skip('it may make no group for memory');
    test.after(() => removeGroup(group));
    const { child, exited } = run(cli, {}, [], inGroup(group));
    await ready(child);
    child.kill('SIGTERM');
    const { errors } = await exited;
    assert.match(errors, /"enforcement of session limits","memory":"cgroup v[12]"/);
  });

  it('stops in order at a signal while it starts', async () => {
    const { child, exited } = run(cli);
    const locks = join(base, 'state', 'locks');
    while (!existsSync(locks)) await delay(10);
    child.kill('SIGTERM');
    const { code, output, errors } = await exited;
    assert.deepEqual([code, output], [0, '']);
    assert.match(errors, /"message":"stopping","signal":"SIGTERM"/);
  });

  it('does not share its state with a second service', async () => {
    const first = run(cli);
    await ready(first.child);
    const { code, errors } = await run(cli).exited;
    assert.equal(code, 1);
    assert.match(errors, /is in use by another running service/);
    first.child.kill('SIGTERM');
    assert.equal((await first.exited).code, 0);
  });

  it('prints the key that it generated, and addresses that each give one browser access', async () => {
    const { child, exited } = run(cli, { API_KEYS: '' });
    const lend = async (address: string) => {
      const { origin, hash } = new URL(address);
      const body = JSON.stringify({ secret: hash.replace('#start=', '') });
      const response = await fetch(`${origin}/demo/key`, { method: 'POST', body });
      return ((await response.json()) as { api_key?: string }).api_key;
    };
    const first = await ready(child, /http:\/\/\S+#start=\S+/);
    const [key] = await Promise.all([lend(first), ready(child, /another browser/)]);
    assert.ok(key);
    assert.equal(await lend(first), undefined);
    child.kill('SIGTERM');
    const { code, output } = await exited;
    assert.equal(code, 0);
    assert.match(output, new RegExp(`API key for this run: +${key} `));
    assert.match(output, /ready: http:\/\/localhost:\d+\/#start=[\w-]{43}\n/);
    const printed = new Set(output.match(/http:\/\/localhost:\d+\/#start=[\w-]{43}\n/g));
    assert.equal(printed.size, 2);
  });
});

/** Starts a session that leaves a profile of this many megabytes, and waits until it is written. */
async function beginWithProfile(url: string, megabytes: number, profile: unknown = true): Promise<string> {
  const body = JSON.stringify({ start_url: `about:fill-${megabytes}`, profile });
  const headers = { authorization: 'k', 'content-type': 'application/json' };
  const created = await fetch(`${url}/v0/vm`, { method: 'POST', headers, body });
  assert.equal(created.status, 200, await created.clone().text());
  const { session_id: id } = (await created.json()) as { session_id: string };
  for (;;) {
    const view = (await (await fetch(`${url}/v0/vm/${id}`, { headers })).json()) as { state: string };
    if (view.state === 'running') return id;
    await delay(20);
  }
}

const savedProfiles = async () =>
  (await readdir(join(base, 'state', 'profiles'))).filter((name) => !name.endsWith('.tmp')).sort();

/** Together the profiles exceed the memory limit. `PROFILE_MB=200` is a usual size. */
const PROFILE_MB = Number(process.env['PROFILE_MB'] ?? 60);

describe(`a service with six profiles of ${PROFILE_MB} MB`, () => {
  // Proves: profiles of any size take little memory
  it('saves all of them at SIGTERM with less than 300 MB of memory', { timeout: 300_000 }, async () => {
    const { child, exited } = run(onScriptedHosts, { MAX_SESSIONS: '6' });
    const url = await ready(child);
    const ids: string[] = [];
    for (let session = 0; session < 6; session++) ids.push(await beginWithProfile(url, PROFILE_MB));
    child.kill('SIGTERM');
    const { code, output } = await exited;
    assert.equal(code, 0);
    assert.deepEqual(await savedProfiles(), ids.map((id) => `${id}.profile`).sort());
    assert.deepEqual(await placesIn(join(base, 'run')), []);
    const peak = Number(/peak (\d+)/.exec(output)?.[1]) / 1_000;
    assert.ok(peak > 0 && peak < 300, `${peak} MB`);
  });
});

describe('a service that is killed', () => {
  it('leaves its profiles for the next one, which saves them', async () => {
    const first = run(onScriptedHosts);
    const id = await beginWithProfile(await ready(first.child), 1);
    first.child.kill('SIGKILL');
    await first.exited;
    const second = run(onScriptedHosts);
    await ready(second.child);
    while ((await placesIn(join(base, 'run'))).length > 0) await delay(20);
    assert.deepEqual(await savedProfiles(), [`${id}.profile`]);
    second.child.kill('SIGKILL');
    await second.exited;
  });

  it(
    'takes its hosts down, and the next one starts clean',
    { skip: process.getuid?.() !== 0 && 'needs root' },
    async () => {
      const first = run(onScriptedHosts, { WARM_HOSTS: '1' });
      const url = await ready(first.child);
      const headers = { authorization: 'k' };
      const created = await fetch(`${url}/v0/vm`, { method: 'POST', headers });
      assert.equal(created.status, 200);
      const { session_id: id } = (await created.json()) as { session_id: string };
      first.child.kill('SIGKILL');
      await first.exited;

      const second = run(onScriptedHosts);
      const record = await fetch(`${await ready(second.child)}/v0/vm/${id}`, { headers });
      const view = (await record.json()) as Record<string, unknown>;
      assert.deepEqual([view['state'], view['termination_reason']], ['ended', 'crashed']);
      assert.deepEqual(await placesIn(join(base, 'run')), []);
      for (const uid of [UID_BASE, UID_BASE + 1]) assert.deepEqual(processesOf(uid), []);
      second.child.kill('SIGKILL');
      await second.exited;
    },
  );
});

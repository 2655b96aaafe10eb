import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startProbedService, VICTIM, VICTIM_MODE } from '../support/hostile-machine.js';
import { probePlan, type ProbePlan } from '../support/probe-plan.js';
import { processes, type ProcessInfo } from '../support/processes.js';
import { Service, type Session } from '../support/service.js';
import { strangers } from '../support/strangers.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
// Isolation must hold every time, so these tests are not retried.
test.describe.configure({ retries: 0 });

/** Actions that must be refused to an attacker in the browser. `test/e2e/probe` attempts them. */
const REFUSED = [
  'reads keys and records of the service',
  'reads files of another session',
  'reads files of its own session that are not its home',
  'reads files of the machine and its users',
  'reads through the root of a process that it sees',
  'writes where it should only read',
  'sees the system mounted to be written',
  'changes its policies',
  'changes extensions that other sessions share',
  'finds a device besides the harmless ones',
  'has descriptors besides its own pipes',
  'has a secret or a path of the machine in its environment',
  'sees a secret in a command line',
  'can have its memory written to disk',
  'finds programs to start',
  'finds programs that were installed besides',
  'starts a program where it may write',
  'reads which name servers and hosts the machine knows',
  'reads how the kernel was started and what it has',
  'learns from a process where the service keeps sessions',
  'shows itself on its own display without the cookie',
  'finds another display',
  'connects to displays, sound or devices of another session',
  'connects to sockets of its own session that the host alone uses',
  'connects to sockets of the machine',
  'loads a module into its sound server',
  'unloads a module of its sound server',
  'ends its sound server',
  'hears another session',
  'finds the locks of the service',
  'sees processes outside',
  'signals processes outside',
  'traces processes outside',
  'traces the first process of the sandbox',
  'can gain privileges',
  'mounts something',
  'makes the system writable',
  'makes the system writable as root of its own namespace',
  'uncovers what lies below its empty directories',
  'changes the kernel',
  'finds the devices and drivers of the machine',
  'learns the name of the machine',
  "reads a key of the service's keyring",
  'shares memory with the machine',
  'types into a terminal',
  'connects to a name in the abstract namespace of sockets',
  'connects to a port of the machine',
] as const;

/** The outcome of each attempt. */
type Outcome = Record<string, { got: string } | { refused: string }>;

for (const [uid, name] of [
  [0, 'root'],
  // Sessions then run as the user of the service, and only namespaces separate them.
  [Service.uidBase + 999, 'another user'],
] as const) {
  const tag = uid === 0 ? '@main' : [];
  test.describe(`a compromised browser of a service that runs as ${name}`, { tag }, () => {
    let service: Service;
    let plan: ProbePlan;
    let outcome: Outcome;
    let startCommands: ProcessInfo[];

    test.beforeAll(async ({ pages }) => {
      test.skip(process.getuid?.() !== 0, 'needs mounts of its own, which only root can make');
      service = await startProbedService(uid);
      const started = async (parameters: Record<string, unknown>): Promise<[Session, string]> => {
        const before = await placesOf(service);
        const page = pages.page('marker');
        const session = await service.create({ start_url: `${page.url}#start-secret`, ...parameters });
        await page.loaded();
        const [place] = (await placesOf(service)).filter((one) => !before.includes(one));
        assert.ok(place);
        return [session, place];
      };
      const [first, neighbour] = await started({});
      const [second, own] = await started({ dark: true });
      startCommands = processes().filter(({ command }) => command.includes('start-secret'));
      const secrets = [first, second].flatMap(({ admin_token, embed_url }) => [
        admin_token,
        new URL(embed_url).searchParams.get('token') ?? embed_url,
      ]);
      secrets.push(service.key, 'start-secret');
      plan = probePlan(service, { own, neighbour, strangers: await strangers(), secrets });
      const file = join(service.directory, 'plan', 'plan.json');
      await writeFile(`${file}.new`, JSON.stringify(plan), { mode: 0o644 });
      await rename(`${file}.new`, file);
      const result = join(own, 'browser', 'probe.json');
      await until('the probe has tried everything', () => existsSync(result), 90_000);
      outcome = JSON.parse(readFileSync(result, 'utf8')) as Outcome;
    });

    test('tries every attempt of this list and no other', () => {
      assert.deepEqual(Object.keys(outcome).sort(), [...REFUSED].sort());
    });

    for (const attempt of REFUSED) {
      test(`never ${attempt}`, () =>
        assert.ok('refused' in (outcome[attempt] ?? {}), said(outcome, attempt)));
    }

    test('leaves nothing behind that others can see', () => {
      const machine = `/proc/${service.pid}/root`;
      const seen = plan.everywhere.filter((directory) => existsSync(join(machine, directory, plan.leak)));
      assert.deepEqual(seen, []);
      const elsewhere = ['/tmp', '/dev/shm', '/run'].filter((path) => existsSync(join(path, plan.leak)));
      assert.deepEqual(elsewhere, []);
    });

    test('does not expose its start page in a command line', () => {
      assert.deepEqual(
        startCommands.map(({ command }) => command),
        [],
      );
    });

    test('cannot block a new session by taking its names', async ({ pages }) => {
      const page = pages.page('marker');
      await service.create({ start_url: page.url });
      await page.loaded();
    });

    test('did not make the service follow a link that was planted in /tmp', () => {
      assert.equal(statSync(`/proc/${service.pid}/root${VICTIM}`).mode & 0o7777, VICTIM_MODE);
    });
  });
}

/** The directories of running sessions. */
async function placesOf({ directory }: Service): Promise<string[]> {
  const names = await readdir(join(directory, 'run'));
  return names.filter((name) => /^\d+$/.test(name)).map((name) => join(directory, 'run', name));
}

function said(outcome: Outcome, attempt: string): string {
  return `It ${attempt}: ${JSON.stringify(outcome[attempt])}`;
}

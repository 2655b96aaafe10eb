import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { atEnd } from './support/cleanup.js';
import type { AttackOutcome } from './support/hostile-program.js';
import { onlyProcess, processes, SESSION_HOST } from './support/processes.js';
import { RawViewer } from './support/raw-viewer.js';
import { connectClient } from './support/sdk-client.js';
import { Service, type Session } from './support/service.js';
import { cleanUpAtEnd, note, test } from './support/test.js';
import { until } from './support/until.js';

cleanUpAtEnd();
const PROGRAM = fileURLToPath(new URL('support/hostile-program.ts', import.meta.url));
const MAX_GROWTH_BYTES = 50e6;
/** Frames that must arrive during and after each attack. */
const FRAMES = 20;

let service: Service;
let session: Session;
let viewer: RawViewer;
let client: Awaited<ReturnType<typeof connectClient>>;

test.beforeAll(async ({ pages }) => {
  service = await Service.start();
  const page = pages.page('motion');
  session = await service.create({ start_url: page.url, width: 800, height: 600, fps: 30, automation: true });
  await page.loaded();
  viewer = await RawViewer.open(session);
  client = await connectClient(session, session.admin_token);
  await until('frames come', () => viewer.packets.length > FRAMES);
});

const hostBytes = () => {
  const { pid } = onlyProcess(service.pid, SESSION_HOST);
  const host = processes().find((process) => process.pid === pid);
  return Number.parseInt(host?.field('VmRSS') ?? '0') * 1024;
};

/** Starts an attack in a process of its own. */
function start(kind: string) {
  const args = ['--import', 'tsx', PROGRAM, session.cdp_url ?? '', kind];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  atEnd(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const go = () => void child.stdin.write('go\n');
  const outcome = async () => {
    const { value } = (await lines.next()) as IteratorResult<string, undefined>;
    if (child.exitCode === null) await once(child, 'exit');
    return JSON.parse(value ?? '') as AttackOutcome;
  };
  return { go, outcome };
}

const agents = async () => (await client.users.list()).filter(({ kind }) => kind === 'agent').length;

/** Runs an attack, and checks that host and viewer do well in it. */
async function attack(kind: string, during?: (go: () => void) => Promise<void>): Promise<AttackOutcome> {
  const before = hostBytes();
  const { length } = viewer.packets;
  let most = before;
  const { go, outcome } = start(kind);
  go();
  const ended: { outcome?: AttackOutcome } = {};
  const ending = outcome().then((value) => (ended.outcome = value));
  await during?.(go);
  await until(`the attack ${kind} ends`, () => {
    most = Math.max(most, hostBytes());
    return ended.outcome;
  });
  const result = await ending;
  await until('all agents are gone', async () => (await agents()) === 0);
  const frames = viewer.packets.length;
  await until('frames still come', () => viewer.packets.length > frames + FRAMES);
  const growth = (most - before) / 1e6;
  note(
    `${kind}: ${JSON.stringify(result)}, ${frames - length} frames meanwhile, ${growth.toFixed(1)} MB more`,
  );
  assert.ok(most - before < MAX_GROWTH_BYTES, `the host grew by ${growth} MB`);
  assert.equal(viewer.closed, undefined);
  return result;
}

test('10,000 random frames do no harm', async () => {
  const { codes, refused } = await attack('random');
  assert.deepEqual(codes, [1005]);
  assert.ok(refused > 1_000, `${refused} frames were refused`);
});

test('messages that are too large or binary end the connection', async () => {
  const { codes } = await attack('huge');
  assert.deepEqual(codes, [1009, 1003]);
});

test('a program that does not read is disconnected', async () => {
  const { codes } = await attack('slow', async (go) => {
    await until('the agent has joined', async () => (await agents()) === 1);
    go();
    await until('the agent is disconnected', async () => (await agents()) === 0);
    go();
  });
  assert.deepEqual(codes, [1006]);
});

test('at most 20 programs drive a session', async () => {
  const { codes } = await attack('many');
  assert.deepEqual(
    [codes.filter((code) => code === 0).length, codes.filter((code) => code === 1008).length],
    [20, 5],
  );
});

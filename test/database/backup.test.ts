import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { ask, create } from '../cluster/support/customer.js';
import { freePort, NodeProcess } from '../cluster/support/nodes.js';
import { WebhookReceiver } from '../fakes/webhook-receiver.js';
import { runDocumented } from './support/backup-commands.js';
import { databaseFixture } from './support/fixture.js';
import {
  assertKept,
  assertProfile,
  assertUnreadable,
  delivered,
  fill,
  type Kept,
} from './support/kept-service.js';

const fixture = databaseFixture();
const OTHER_SECRET = 'another secret, which has to be as long';
const ALONE = { CLUSTER_SECRET: '', NODE_NAME: '' };
let directory: string;
let endpoint: WebhookReceiver;
let kept: Kept;
let machines = 0;
const started: NodeProcess[] = [];

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cloud-browser-backup-'));
  // The users of sessions pass through.
  await chmod(directory, 0o711);
  endpoint = await WebhookReceiver.open();
});
afterEach(stopAll);
after(async () => {
  await stopAll();
  await endpoint.close();
  await rm(directory, { recursive: true });
});

async function stopAll(): Promise<void> {
  await Promise.all(started.splice(0).map((node) => node.kill()));
}

/** A machine that shares no directory with others. */
class Machine {
  readonly directory = join(directory, `machine${(machines += 1)}`);
  readonly #uid = String(70_000 + machines * 2_000);
  #node: NodeProcess | undefined;

  get stateDir(): string {
    return join(this.directory, 'state');
  }

  /** Starts the service, again with other settings. */
  async start(environment: Record<string, string>): Promise<NodeProcess> {
    await this.#node?.stop();
    const settings = { SESSION_UID_BASE: this.#uid, ...environment };
    this.#node = new NodeProcess('one', await freePort(), this.directory, settings);
    started.push(this.#node);
    await this.#node.start();
    return this.#node;
  }
}

describe('a database backup', () => {
  let old: string;

  before(async () => {
    old = await fixture.postgres.createDatabase();
    const machine = new Machine();
    const node = await machine.start({ DATABASE_URL: old });
    kept = await fill(node, machine.directory, endpoint);
    await runDocumented('back up the database', directory, { DATABASE_URL: old });
  });

  /** An empty database that an ordinary user owns, created as docs/operating.md describes. */
  async function emptyDatabase(name: string): Promise<string> {
    const [user, password] = [`user_${name}`, 'word'];
    await fixture.postgres.sql(`create role ${user} login password '${password}'`);
    await fixture.postgres.sql(`create database ${name} owner ${user} encoding UTF8 template template0`);
    return fixture.postgres.url(name, { user, password });
  }

  const restore = (url: string) => runDocumented('restore the database', directory, { DATABASE_URL: url });

  it('of a running service contains all stored data', async () => {
    const migrations = (url: string) => fixture.postgres.sql('select * from migrations order by number', url);
    const url = await emptyDatabase('restored');
    await restore(url);
    // Makes the backup look old. The service of that time no longer runs.
    await fixture.postgres.sql("update nodes set seen_at = seen_at - interval '1 hour'", url);
    const heard = delivered(endpoint, kept);
    const machine = new Machine();
    const node = await machine.start({ DATABASE_URL: url });
    await assertKept(node, kept);
    await assertProfile(node, machine.directory, kept);
    await heard;
    assert.deepEqual(await migrations(url), await migrations(old));
  });

  it('replaces data that was stored later', async () => {
    const machine = new Machine();
    const { session_id: since } = await create((await machine.start({ DATABASE_URL: old })).url);
    await stopAll();
    await restore(old);
    const node = await machine.start({ DATABASE_URL: old });
    await assertKept(node, kept);
    assert.equal((await ask(node.url, 'GET', `/v0/vm/${since}`)).status, 404);
  });

  it('keeps its profiles unchanged when nodes with another secret cannot read them', async () => {
    const url = await emptyDatabase('elsewhere');
    await restore(url);
    const profiles = () => fixture.postgres.sql('select * from profiles', url);
    const saved = await profiles();
    assert.equal(saved.length, 1);
    const machine = new Machine();
    await assertUnreadable(await machine.start({ DATABASE_URL: url, CLUSTER_SECRET: OTHER_SECRET }), kept);
    const node = await machine.start({ DATABASE_URL: url });
    assert.deepEqual(await profiles(), saved);
    await assertProfile(node, machine.directory, kept);
  });
});

describe('a file backup of a single machine', () => {
  let keys: string;

  before(async () => {
    keys = join(directory, 'keys');
    await mkdir(keys);
    const machine = new Machine();
    const node = await machine.start(ALONE);
    kept = await fill(node, machine.directory, endpoint);
    await runDocumented('back up files', directory, { STATE_DIR: machine.stateDir, KEYS: keys });
  });

  async function restored(): Promise<Machine> {
    const machine = new Machine();
    await mkdir(machine.directory, { mode: 0o711 });
    await runDocumented('restore files', directory, { STATE_DIR: machine.stateDir, KEYS: keys });
    return machine;
  }

  it('of a running service contains all stored data', async () => {
    const machine = await restored();
    const heard = delivered(endpoint, kept);
    const node = await machine.start(ALONE);
    await assertKept(node, kept);
    await assertProfile(node, machine.directory, kept);
    await heard;
  });

  it('keeps its profiles unchanged when a service with another key cannot read them', async () => {
    const machine = await restored();
    const profile = () => readFile(join(machine.stateDir, 'profiles', `${kept.saved}.profile`));
    const saved = await profile();
    await assertUnreadable(await machine.start({ ...ALONE, PROFILE_KEY: 'ab'.repeat(32) }), kept);
    const node = await machine.start(ALONE);
    assert.ok(saved.equals(await profile()));
    await assertProfile(node, machine.directory, kept);
  });
});

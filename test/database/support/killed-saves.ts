import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ask as askOnce } from '../../cluster/support/customer.js';
import { freePort, NodeProcess, type Access } from '../../cluster/support/nodes.js';
import type { WebhookReceiver } from '../../fakes/webhook-receiver.js';

/** Timeout for a busy machine, in milliseconds. */
const LIMIT_MS = 180_000;
/**
 * Megabytes that a session adds to its profile. The save is slow enough to be killed in each of its steps.
 */
const MEGABYTES = 16;
const LOOK_MS = 50;
/** Timeout after which a waiting writer never gets the profile. */
const PATIENCE_MS = 120_000;
/** Every nth killed node returns with an empty disk. */
const FRESH_EVERY = 4;

/** The result of one killed save. */
export interface KilledSave {
  /** Milliseconds from the request that ends the session to the kill. */
  killedAfter: number;
  /** The request was answered before the kill: the profile was saved. */
  answered: boolean;
  disk: 'kept' | 'fresh';
  /** Refusals that the waiting writer received. */
  refusals: number;
  /** Seconds from the kill until the waiting writer had the profile. */
  waited: number;
  got: 'new' | 'old' | 'neither';
  /** True if the endpoint received an event about the data loss. */
  event: boolean;
}

/** Two nodes: `a` is killed while it saves a profile, and a writer waits for that profile on `b`. */
export class KilledSaves {
  #whole = 0;

  private constructor(
    private readonly directory: string,
    private readonly a: NodeProcess,
    private readonly b: NodeProcess,
    private readonly endpoint: WebhookReceiver,
  ) {}

  static async start(databaseUrl: string, endpoint: WebhookReceiver): Promise<KilledSaves> {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-killed-saves-'));
    // The users of sessions pass through.
    await chmod(directory, 0o711);
    const node = async (name: string, region: string, uid: number) =>
      new NodeProcess(name, await freePort(), join(directory, name), {
        ...{ DATABASE_URL: databaseUrl, REGION: region, SESSION_UID_BASE: String(uid) },
        CREATES_PER_MINUTE: '100000',
      });
    const [a, b] = [await node('a', 'EU', 70_000), await node('b', 'NA', 72_000)];
    const saves = new KilledSaves(directory, a, b, endpoint);
    try {
      await Promise.all([a.start(), b.start()]);
    } catch (error) {
      await saves.stop();
      throw error;
    }
    return saves;
  }

  /** Saves a first profile and returns its id. The duration sets the range of later moments. */
  async first(): Promise<string> {
    const { session_id: id } = await this.#fill(true);
    const from = performance.now();
    await this.#end(this.a, id);
    this.#whole = performance.now() - from;
    return id;
  }

  /** Kills a node at a moment of a save, and waits until the writer on the other node gets the profile. */
  async strike(profile: string, number: number, random: () => number): Promise<KilledSave> {
    const before = await this.#contentOnB(profile);
    const { session_id: id } = await this.#fill(profile);
    const after = await contentIn(this.a, this.#runtime('a'));
    const killedAfter = Math.round(random() * this.#whole);
    let answered = false;
    const from = performance.now();
    const ending = ask(this.a.url, 'DELETE', `/v0/vm/${id}`).then(
      ({ status }) => {
        answered = status === 200;
        // The machine has become faster. Later moments must still be within a save.
        this.#whole = Math.min(this.#whole, performance.now() - from);
      },
      () => undefined,
    );
    await pause(killedAfter);
    const saved = answered;
    await this.a.kill();
    await ending;
    const killed = performance.now();
    const disk = number % FRESH_EVERY === FRESH_EVERY - 1 ? 'fresh' : 'kept';
    if (disk === 'fresh') await rm(join(this.directory, 'a'), { recursive: true, force: true });
    const back = pause(random() * 2_000).then(() => this.a.start());
    const [{ content, refusals }] = await Promise.all([this.#waitForIt(profile), back]);
    const waited = Math.round((performance.now() - killed) / 100) / 10;
    const got = content === after ? 'new' : content === before ? 'old' : 'neither';
    const event = got === 'old' && (await this.#event(id));
    return { killedAfter, answered: saved, disk, refusals, waited, got, event };
  }

  async stop(): Promise<void> {
    await Promise.all([this.a.kill(), this.b.kill()]);
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }

  #runtime(name: string): string {
    return join(this.directory, name, 'run');
  }

  /** Creates a session on `a` that writes new data into its profile. */
  async #fill(profile: true | string): Promise<Access> {
    const webhook = { url: this.endpoint.url, bearer: 'b' };
    const access = await create(this.a.url, {
      ...{ region: 'EU', profile, start_url: `about:fill-${MEGABYTES}`, timeout: { webhook } },
    });
    // Its page is visible after it has written everything.
    for (;;) {
      const { body } = await ask(this.a.url, 'GET', `/v0/vm/${access.session_id}`);
      if ((body as { state: string }).state === 'running') return access;
      await pause(LOOK_MS);
    }
  }

  /** Returns the stored profile, read by a session that only loads it. */
  async #contentOnB(profile: string): Promise<string> {
    const { session_id: id } = await create(this.b.url, { region: 'NA', profile: { load: profile } });
    const content = await contentIn(this.b, this.#runtime('b'));
    await this.#end(this.b, id);
    return content;
  }

  /** Creates a writer on `b`, with retries until it has the profile. */
  async #waitForIt(profile: string): Promise<{ content: string; refusals: number }> {
    const until = performance.now() + PATIENCE_MS;
    for (let refusals = 0; ; refusals++) {
      const answer = await ask(this.b.url, 'POST', '/v0/vm', { body: { region: 'NA', profile } });
      if (answer.status === 200) {
        const content = await contentIn(this.b, this.#runtime('b'));
        await this.#end(this.b, (answer.body as Access).session_id);
        return { content, refusals };
      }
      const { code } = answer.body as { code: string };
      if (code !== 'err_profile_in_use' || performance.now() > until) throw new Error(JSON.stringify(answer));
      await pause(LOOK_MS);
    }
  }

  async #end(node: NodeProcess, id: string): Promise<void> {
    const { status, body } = await ask(node.url, 'DELETE', `/v0/vm/${id}`);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  }

  /** True if the endpoint receives an event about the loss of the session's data. */
  async #event(sessionId: string): Promise<boolean> {
    const until = performance.now() + 20_000;
    const isIt = ({ body }: { body: string }) => {
      const event = JSON.parse(body) as Record<string, unknown>;
      return event['session_id'] === sessionId && event['type'] === 'profile_save_failed' && event['final'];
    };
    while (performance.now() < until) {
      if (this.endpoint.received.some(isIt)) return true;
      await pause(LOOK_MS);
    }
    return false;
  }
}

/** Returns a hash of the profile files of a node's only session. */
async function contentIn(node: NodeProcess, runtime: string): Promise<string> {
  for (let looks = 0; looks < 400; looks++) {
    for (const place of await readdir(runtime)) {
      if (!/^\d+$/.test(place)) continue;
      const profile = join(runtime, place, 'browser', 'profile');
      const last = await readFile(join(profile, `part-${MEGABYTES - 1}`)).catch(() => undefined);
      const first = await readFile(join(profile, 'part-0')).catch(() => undefined);
      if (first && last) return createHash('sha256').update(first).update(last).digest('hex');
    }
    await pause(LOOK_MS);
  }
  throw new Error(`No session of ${node.name} has a profile.`);
}

type Method = Parameters<typeof askOnce>[1];

function ask(base: string, method: Method, path: string, { body }: { body?: unknown } = {}) {
  return askOnce(base, method, path, { body, limit: LIMIT_MS });
}

/** Creates a session, which must succeed. */
async function create(base: string, body: unknown): Promise<Access> {
  const answer = await ask(base, 'POST', '/v0/vm', { body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer));
  return answer.body as Access;
}

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HostSession } from '../../server/src/host-protocol.js';
import { loadConfig } from '../../server/src/config/load-config.js';
import { SessionGroup } from '../../server/src/pool/groups/session-group.js';
import { ForkedHostPool } from '../../server/src/pool/host-pool.js';
import { Places } from '../../server/src/pool/places.js';
import { systemClock, type Clock } from '../../server/src/platform/time/clock.js';
import { DEFAULT_SETTINGS } from '../../server/src/sessions/settings/default-settings.js';
import { hostSessionOf } from '../../server/src/sessions/settings/host-session.js';
import { NO_SECRETS } from '../../server/src/sessions/settings/session-settings.js';
import { placesIn } from './places-in.js';
import { quiet } from './test-service.js';

const entry = fileURLToPath(new URL('./scripted-host.mjs', import.meta.url));
const { limits } = loadConfig({ API_KEYS: 'key' });

/** True if hosts can have users of their own. */
export const isRoot = process.getuid?.() === 0;
/** Options of a test that needs users for hosts. */
export const needsRoot = { skip: !isRoot && 'needs user ids of its own' };
/** Profile of a session without one. */
export const noProfile = { load: null, save: null };

/** Returns the settings of a session for a host. */
export function session(startUrl = 'about:blank'): HostSession {
  return { ...hostSessionOf('x', DEFAULT_SETTINGS, NO_SECRETS, 'admin-token'), startUrl };
}

/** The real pool of hosts, whose hosts run `scripted-host.mjs`. */
export class ScriptedPool {
  /** Reports of sessions about warm browsers. */
  results: string[] = [];
  /** The shares of the processor that the sessions' groups were given. */
  shares: string[] = [];
  readonly uidBase: number | undefined;
  #root = '';
  #pool: ForkedHostPool | undefined;

  /**
   * @param uidBase first user id of the hosts. Each test file has its own, because files run at the same
   *   time.
   */
  constructor(uidBase: number) {
    this.uidBase = isRoot ? uidBase : undefined;
  }

  /** Directory of the hosts' places. */
  get root(): string {
    return this.#root;
  }

  /** The pool that was opened last. */
  get current(): ForkedHostPool {
    if (!this.#pool) throw new Error('Open the pool first.');
    return this.#pool;
  }

  async makeRoot(): Promise<void> {
    this.#root = await mkdtemp(join(tmpdir(), 'cloud-browser-pool-'));
    await chmod(this.#root, 0o711);
  }

  /** Opens a pool. Call {@link makeRoot} first. */
  async open(options: {
    warmHosts: number;
    clock?: Clock;
    warmBrowsers?: number;
    places?: Places | undefined;
  }): Promise<ForkedHostPool> {
    const { warmHosts, clock = systemClock, warmBrowsers = 0 } = options;
    const places = options.places ?? (await this.openPlaces());
    this.results = [];
    this.shares = [];
    const { shares } = this;
    this.#pool = new ForkedHostPool({
      ...{ entry, limits, clock, log: quiet, places, warmHosts, warmBrowsers },
      environment: { PATH: process.env['PATH'] ?? '' },
      egress: { open: () => () => undefined },
      groups: { create: () => new RecordingGroup(shares) },
      onWarmBrowser: (result) => void this.results.push(result),
      machine: { isCalm: () => true, hasRoom: () => true, isShort: () => false },
    });
    return this.#pool;
  }

  openPlaces(): Promise<Places> {
    return Places.open(this.#root, this.uidBase, '/state');
  }

  /** Returns the files that are in the directory of the places. */
  left(): Promise<string[]> {
    return placesIn(this.#root);
  }

  /** Closes the pool. Resolves to the files that are left, and removes them. */
  async close(): Promise<string[]> {
    await this.#pool?.close();
    const left = await this.left();
    await rm(this.#root, { recursive: true });
    return left;
  }
}

/** The group of a session on a machine without control groups. */
class RecordingGroup extends SessionGroup {
  constructor(private readonly shares: string[]) {
    super(new Map(), limits.cpuWeight);
  }

  override setShare(share: 'usual' | 'busy' | 'waiting'): void {
    this.shares.push(share);
  }
}

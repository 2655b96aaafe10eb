import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PageServer } from '../e2e/support/page-server.js';
import { Cleanup } from '../e2e/support/cleanup.js';
import { descendants, processes } from '../e2e/support/processes.js';
import { descriptorsOf, locksOf } from '../faults/left-behind.js';
import { hostsOf } from '../faults/scene.js';
import { isRecord } from '../../server/src/platform/is-record.js';
import { BuiltService, UID_BASE, UIDS } from '../support/built-service.js';
import { pause, until } from '../walk/deadline.js';
import { Person } from '../walk/person.js';
import type { Measures } from './fake-service-protocol.js';

const COLLECTOR = new URL('collect.mjs', import.meta.url).href;
const LIMIT_MS = 40_000;
/** Sessions that live at once. */
const AT_ONCE = 3;
const WARM_HOSTS = 1;
const INTERVAL_MS = 200;

/** A real service with real sessions that come and go in it. */
export class RealChurn {
  private constructor(
    private readonly cleanup: Cleanup,
    private readonly service: BuiltService,
    private readonly pages: PageServer,
  ) {}

  static async start(): Promise<RealChurn> {
    const cleanup = new Cleanup();
    try {
      const pages = await PageServer.start(cleanup.add);
      const service = await BuiltService.start({
        environment: { WARM_HOSTS: `${WARM_HOSTS}` },
        nodeArguments: (directory) => [
          '--expose-gc',
          ...['--import', `${COLLECTOR}?file=${encodeURIComponent(fileOf(directory))}`],
        ],
      });
      cleanup.add(() => service.stop());
      return new RealChurn(cleanup, service, pages);
    } catch (error) {
      await cleanup.run();
      throw error;
    }
  }

  /** Has so many sessions begin, be watched and typed into, and end, a few at a time. */
  async run(sessions: number): Promise<void> {
    const starts = Array.from({ length: sessions }, (_, nth) => nth);
    const worker = async () => {
      while (starts.pop() !== undefined) await this.#live();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  /** Figures of a moment at which no session runs, and the warm hosts wait. */
  async measure(): Promise<Measures> {
    const { service } = this;
    await until('only warm hosts are left', LIMIT_MS, () => hostsOf(service.pid).length === WARM_HOSTS);
    // A warm host starts its display and its sound as soon as it is ready.
    let counts = this.#counts();
    await until('nothing changes any more', LIMIT_MS, async () => {
      const before = JSON.stringify(counts);
      await pause(INTERVAL_MS * 5);
      counts = this.#counts();
      return JSON.stringify(counts) === before;
    });
    const { timers, ...memory } = await collect(service);
    return { ...memory, rss: residentBytes(service.pid), counts: { ...counts, timers } };
  }

  async stop(): Promise<void> {
    await this.cleanup.run();
  }

  async #live(): Promise<void> {
    const { service, pages } = this;
    const page = pages.page('typing');
    const session = await service.create({
      start_url: page.url,
      kiosk: true,
      width: 640,
      height: 480,
      fps: 30,
    });
    const person = await Person.join(session);
    try {
      await until('the page is loaded', LIMIT_MS, () => page.loads > 0);
      await until('typing is seen', LIMIT_MS, async () => {
        person.click({ across: 0.2, down: 0.2 });
        person.press('KeyA');
        await pause(INTERVAL_MS);
        return page.count('keydown a') > 0 && person.frames > 0;
      });
    } finally {
      person.leave();
      await service.end(session);
    }
  }

  #counts(): Record<string, number> {
    const { pid, directory } = this.service;
    const open = descriptorsOf(pid);
    const locks = locksOf(pid);
    const ofKind = (pattern: RegExp, list: readonly string[]) =>
      list.filter((each) => pattern.test(each)).length;
    return {
      'processes below the service': descendants(pid).length,
      'processes of session users': processes().filter(({ uid }) => isOurs(uid)).length,
      'descriptors, sockets': ofKind(/^socket:/, open),
      'descriptors, pipes': ofKind(/^pipe:/, open),
      'descriptors, others': open.length - ofKind(/^(socket|pipe):/, open),
      locks: locks.length,
      'directories of sessions': readdirSync(join(directory, 'run')).length,
      'files in /tmp': ownFiles('/tmp').length,
      'shared memory': ownFiles('/dev/shm').length,
      'events that wait': readdirSync(join(directory, 'state', 'events')).length,
    };
  }
}

const isOurs = (uid: number) => uid >= UID_BASE && uid < UID_BASE + UIDS;
const fileOf = (directory: string) => join(directory, 'collected.json');

/** Lists files of our session users in a directory that everybody shares. */
function ownFiles(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory).filter((name) => {
    try {
      return isOurs(statSync(join(directory, name)).uid);
    } catch {
      return false;
    }
  });
}

/** Has the service collect its garbage; resolves to what it then holds. */
async function collect({
  pid,
  directory,
}: BuiltService): Promise<{ heapUsed: number; external: number; timers: number }> {
  const file = fileOf(directory);
  const before = existsSync(file) ? statSync(file).mtimeMs : 0;
  process.kill(pid, 'SIGUSR2');
  await until(
    'the garbage is collected',
    LIMIT_MS,
    () => existsSync(file) && statSync(file).mtimeMs > before,
  );
  const told: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isRecord(told)) throw new Error('The service tells no figures.');
  const number = (name: string) => Number(told[name]);
  return { heapUsed: number('heapUsed'), external: number('external'), timers: number('timers') };
}

function residentBytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}

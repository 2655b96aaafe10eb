import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../../server/src/platform/is-record.js';
import type { BuiltService, ServiceOptions } from '../../support/built-service.js';
import { patient } from '../../support/limits.js';
import { pause, until } from '../../walk/deadline.js';
import { Person } from '../../walk/person.js';
import type { Expected, Fault } from '../fault.js';
import { Traces } from '../left-behind.js';
import { Party, type Scene } from '../scene.js';
import { CLOCK_SERVICE, setClock } from '../support/clock.js';
import { exhaustDescriptors, type Exhaustion } from '../support/descriptors.js';
import { navigate } from './firsts.js';

const GOES_ON: Expected = { session: 'goes on', neighbour: 'goes on', told: [], facts: [], within: 15 };
const HOUR_MS = 3_600_000;
/** Longer than any timeout of a process that waits for the service. */
const STOPPED_MS = 20_000;
const LIMIT_MS = patient(15_000);

/** Creates a session and ends it again; the sentence is for the table. */
async function createWorks({ service, pages }: Scene, when: string): Promise<string> {
  const party = await Party.enter(service, pages);
  party.person.leave();
  await service.end(party.session);
  return `a session can be created ${when}`;
}

/** Returns the error code of a refused create request. */
async function refusal({ service }: Scene): Promise<string> {
  const { status, body } = await service.request('POST', '/v0/vm', { start_url: 'about:blank' });
  return `a create is answered with ${status} ${String(body['code'])}`;
}

const WITH_REASON = 'a session that begins meanwhile ends with a reason';

/** Creates a session that cannot write, and reports its outcome. */
async function createMeanwhile({ service }: Scene): Promise<string> {
  const { status, body } = await service.request('POST', '/v0/vm', { start_url: 'about:blank' });
  if (status !== 200) return status === 503 ? WITH_REASON : `a create is answered with ${status}`;
  const path = `/v0/vm/${String(body['session_id'])}`;
  const state = await until('it ends, or runs', LIMIT_MS, async () => {
    const now = String((await service.request('GET', path)).body['state']);
    return now !== 'starting' && now;
  });
  await service.request('DELETE', path);
  return state === 'ended' ? WITH_REASON : `a session that begins meanwhile is ${state}`;
}

/**
 * Mounts a separate file system of this many megabytes at `place` below the service's directory. Requires
 * root.
 */
function withDisk(place: string, megabytes: number, mode: string): ServiceOptions {
  const script =
    'mkdir -p -m "$3" "$1" && mount -t tmpfs -o "size=$2,mode=$3" tmpfs "$1" && shift 3 && exec "$@"';
  return {
    wrapper: (directory) => [
      ...['unshare', '--mount', 'sh', '-c', script, 'sh'],
      ...[join(directory, place), `${megabytes}m`, mode],
    ],
  };
}

const fillOf = (service: BuiltService, place: string) => service.seen(join(service.directory, place, 'fill'));

/** Writes until the disk is full. */
async function fillDisk(service: BuiltService, place: string): Promise<void> {
  const file = await open(fillOf(service, place), 'w');
  const block = Buffer.alloc(65_536, 1);
  try {
    for (let size = block.length; size >= 1; size = Math.floor(size / 2))
      await fillBy(file, block.subarray(0, size));
  } finally {
    await file.close();
  }
}

async function fillBy(file: Awaited<ReturnType<typeof open>>, block: Buffer): Promise<void> {
  try {
    for (;;) await file.write(block);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}

const freeDisk = (service: BuiltService, place: string) => rm(fillOf(service, place), { force: true });

/** Uses name servers that never answer. Requires root. */
const WITHOUT_NAMES: ServiceOptions = {
  wrapper: (directory) => {
    const script =
      'echo "nameserver 192.0.2.1" > "$1" && mount --bind "$1" /etc/resolv.conf && shift && exec "$@"';
    return ['unshare', '--mount', 'sh', '-c', script, 'sh', join(directory, 'resolv.conf')];
  },
};

/** Seconds that all sessions ran, by the usage records of the service. */
async function usedSeconds(service: BuiltService): Promise<number> {
  const { body } = await service.request('GET', '/v0/vm/usage');
  const months = Array.isArray(body['usage']) ? body['usage'] : [];
  return months.reduce(
    (sum: number, month: unknown) => sum + (isRecord(month) ? Number(month['seconds']) : 0),
    0,
  );
}

/** Maximum usage of the sessions of one row, in seconds. It is far below an hour. */
const MOST_USAGE_S = 300;

function clockRow(name: string, shift: number): Fault {
  const [works, counts] = ['a session can be created afterwards', 'usage counts the seconds that passed'];
  return {
    name,
    service: CLOCK_SERVICE,
    // By the changed calendar time these limits would have passed.
    parameters: { timeout: { absolute: 3_000, inactive: 1_800, offline: 1_800 } },
    strike: ({ service }) => setClock(service, { shift }),
    async facts(scene) {
      const facts = [await createWorks(scene, 'afterwards')];
      await scene.service.end(scene.victim.session);
      const used = await usedSeconds(scene.service);
      return [...facts, used > 0 && used < MOST_USAGE_S ? counts : `usage counts ${used} s`];
    },
    expected: { ...GOES_ON, facts: [works, counts] },
  };
}

/** The service has no descriptor left. It accepts no connections, and must recover completely afterwards. */
function descriptorsOut(): Fault {
  let exhaustion: Exhaustion | undefined;
  return {
    name: 'descriptors out',
    service: {},
    async strike({ service }) {
      exhaustion = await exhaustDescriptors(service);
    },
    async facts(scene) {
      // A session that ends now must be cleaned up too.
      const { service, victim, neighbour } = scene;
      process.kill(neighbour.host.pid, 'SIGKILL');
      await until('its viewer knows', LIMIT_MS, () => neighbour.person.client.state !== 'playing');
      const traces = Traces.of(service, neighbour);
      const refused = `a create is answered with ${exhaustion?.refusal}`;
      await pause(SETTLE_MS);
      exhaustion?.end();
      const facts = [refused, await createWorks(scene, 'afterwards')];
      const left = await traces.left(RETRIED_MS);
      await victim.types(LIMIT_MS);
      return [...facts, left.length === 0 ? CLEANED : `${CLEANED}, but for ${left.join(', ')}`];
    },
    mend: () => exhaustion?.end(),
    expected: {
      ...GOES_ON,
      facts: [REFUSED, AFTERWARDS, CLEANED],
      // Without descriptors no host starts, and the machine gets no sessions until a trial start succeeds.
      logged:
        /EMFILE|too many open files|a session host stopped unexpectedly|sessions do not start on this machine/,
    },
  };
}

const CLEANED = 'nothing is left of a session that ended meanwhile';
const REFUSED = 'a create is answered with 503 err_session_failed';
const SETTLE_MS = 1_000;
/** Failed clean-up is retried after 15 s. */
const RETRIED_MS = 25_000;
const AFTERWARDS = 'a session can be created afterwards';
const STORAGE = 'a create is answered with 503 err_storage';

/** Faults of the service and of the machine. */
export const MACHINE_ROWS: readonly Fault[] = [
  {
    name: 'service, KILL',
    service: {},
    strike: ({ service }) => void process.kill(service.pid, 'SIGKILL'),
    async facts(scene) {
      const { service, victim } = scene;
      await service.ended();
      await service.begin();
      const { state, termination_reason: reason } = await service.view(victim.session);
      return [
        `another service calls it ${String(state)}: ${String(reason)}`,
        await createWorks(scene, 'afterwards'),
      ];
    },
    expected: {
      ...GOES_ON,
      ...{ session: 'ends: ended', neighbour: 'ends: ended' },
      facts: ['another service calls it ended: crashed', AFTERWARDS],
    },
  },
  {
    name: 'service, STOP',
    service: {},
    strike: ({ service }) => void process.kill(service.pid, 'SIGSTOP'),
    async facts(scene) {
      const { service, victim, neighbour } = scene;
      await pause(STOPPED_MS);
      process.kill(service.pid, 'SIGCONT');
      await Promise.all([victim.types(LIMIT_MS), neighbour.types(LIMIT_MS)]);
      const guest = await Person.join(victim.session);
      guest.leave();
      return ['it goes on after 20 s and lets viewers in', await createWorks(scene, 'afterwards')];
    },
    expected: { ...GOES_ON, facts: ['it goes on after 20 s and lets viewers in', AFTERWARDS] },
  },
  {
    name: 'disk full for records',
    root: true,
    service: withDisk('state', 4, '700'),
    strike: ({ service }) => fillDisk(service, 'state'),
    async facts(scene) {
      const told = await refusal(scene);
      await freeDisk(scene.service, 'state');
      await until('there is room', LIMIT_MS, async () => {
        const { status } = await scene.service.request('GET', '/readyz');
        return status === 200;
      });
      return [told, await createWorks(scene, 'afterwards')];
    },
    expected: { ...GOES_ON, facts: [STORAGE, AFTERWARDS], logged: /ENOSPC|full/ },
  },
  {
    name: 'disk full for sessions',
    root: true,
    service: withDisk('run', 400, '711'),
    strike: ({ service }) => fillDisk(service, 'run'),
    async facts(scene) {
      const meanwhile = await createMeanwhile(scene);
      await freeDisk(scene.service, 'run');
      return [meanwhile, await createWorks(scene, 'afterwards')];
    },
    expected: { ...GOES_ON, facts: [WITH_REASON, AFTERWARDS], logged: /ENOSPC|full/ },
  },
  descriptorsOut(),
  clockRow('clock +1 h', HOUR_MS),
  clockRow('clock −1 h', -HOUR_MS),
  {
    name: 'DNS gone',
    root: true,
    service: WITHOUT_NAMES,
    strike: () => undefined,
    first: navigate,
    expected: GOES_ON,
  },
];

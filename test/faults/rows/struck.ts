import type { ChildProcess } from 'node:child_process';
import {
  CHROMIUM_MAIN,
  descendants,
  EGRESS,
  PULSE_AUDIO,
  XORG,
  type ProcessInfo,
} from '../../e2e/support/processes.js';
import type { Expected, Fault } from '../fault.js';
import type { Party, Scene } from '../scene.js';
import { canHold, hold, release } from '../../support/hold.js';

/** Time in which a part works again after it hung, was stopped or was killed. Seconds. */
export const LIMIT_S = 15;
/** A browser that is started again takes its time on a busy machine. Seconds. */
export const RESTART_S = 8;

export const GOES_ON: Expected = {
  session: 'goes on',
  neighbour: 'goes on',
  told: [],
  facts: [],
  within: LIMIT_S,
};
export const HUNG_ALONE: Expected = { ...GOES_ON, within: LIMIT_S + RESTART_S };
/** Notices that may arrive while a user waits for a hanging page. */
export const WAITED_FOR = ['page-hung'];

const CHROMIUM = String.raw`^/usr/lib/chromium/chromium `;

/** The processes of a session's parts, by command line. */
export const PARTS = {
  host: /host\/main\.js/,
  Xorg: XORG,
  openbox: /^openbox /,
  PulseAudio: PULSE_AUDIO,
  'sandbox of Xorg': /^bwrap .* \/usr\/lib\/xorg\/Xorg /,
  'sandbox of openbox': /^bwrap .* openbox /,
  'sandbox of PulseAudio': /^bwrap .* pulseaudio /,
  'sandbox of Chromium': /^bwrap .*--remote-debugging-pipe/,
  Chromium: CHROMIUM_MAIN,
  'crash handlers': /^\/usr\/lib\/chromium\/chrome_crashpad_handler /,
  'zygote of services': new RegExp(`${CHROMIUM}--type=zygote --no-zygote-sandbox`),
  'zygotes of pages': new RegExp(`${CHROMIUM}--type=zygote (?!--no-zygote-sandbox)`),
  'GPU process': new RegExp(`${CHROMIUM}--type=gpu-process`),
  "GPU process's broker": new RegExp(`${CHROMIUM}--type=broker`),
  'storage service': /--utility-sub-type=storage\.mojom\.StorageService/,
  'audio service': /--utility-sub-type=audio\.mojom\.AudioService/,
  'extension process': new RegExp(`${CHROMIUM}--type=renderer .*--extension-process`),
  'all pages': new RegExp(`${CHROMIUM}--type=renderer(?!.*--extension-process)`),
};
/** A part by its name in {@link PARTS}. */
export type Part = keyof typeof PARTS;

/** Fault of a process. `HOLD` makes it hang without a stop signal. */
export type Blow = 'KILL' | 'STOP' | 'HOLD';
type Rest = Partial<Omit<Fault, 'strike' | 'expected' | 'name'>>;

const holders = new WeakMap<Party, ChildProcess[]>();

/** A row with a fault of processes of the session or of the service. */
export function row(
  name: string,
  blow: Blow,
  targets: (scene: Scene) => Promise<readonly number[]> | readonly number[],
  expected: Expected,
  rest: Rest = {},
): Fault {
  return {
    name: `${name}, ${blow}`,
    ...rest,
    ...(blow === 'HOLD' && { root: true, possible: canHold, mend: letGo }),
    strike: async (scene) => {
      for (const pid of await targets(scene)) await hit(scene.victim, pid, blow);
    },
    expected,
  };
}

async function hit(victim: Party, pid: number, blow: Blow): Promise<void> {
  if (blow === 'HOLD') holders.set(victim, [...(holders.get(victim) ?? []), await hold(pid)]);
  else send(pid, `SIG${blow}`);
}

/** Sends a signal. A process may have ended along with one that was struck before. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function letGo({ victim }: Scene): Promise<void> {
  for (const holder of holders.get(victim) ?? []) await release(holder);
}

/** A row with a fault of a part of the session. */
export function struck(part: Part, blow: Blow, expected: Expected, rest: Rest = {}): Fault {
  return row(part, blow, ({ victim }) => pidsOf(victim.processes, PARTS[part], part), expected, rest);
}

/** A row with a fault of the egress process, which all sessions of a service share. */
export function egressStruck(blow: Blow, expected: Expected, rest: Rest = {}): Fault {
  const egress = ({ service }: Scene) => pidsOf(descendants(service.pid), EGRESS, 'egress process');
  return row('egress', blow, egress, expected, { shared: true, ...rest });
}

function pidsOf(processes: readonly ProcessInfo[], command: RegExp, name: string): number[] {
  const pids = processes.filter((process) => command.test(process.command)).map(({ pid }) => pid);
  if (pids.length === 0) throw new Error(`There is no ${name}.`);
  return pids;
}

import {
  CHROMIUM_MAIN,
  descendants,
  EGRESS,
  processorTime,
  PULSE_AUDIO,
  XORG,
} from '../../e2e/support/processes.js';
import { pause, until, within } from '../../walk/deadline.js';
import type { Expected, Fault } from '../fault.js';
import { IN_FIELD, type Party, type Scene } from '../scene.js';

/** What hangs is ended or started again within this many seconds; what was killed, too. */
const LIMIT_S = 15;
/** A browser that is started again takes its time on a busy machine. Seconds. */
const RESTART_S = 8;
const CALL_LIMIT_MS = 5_000;
/** A tone is played again until it is heard, after so long for each time: a browser may still hold on to the old sound server. */
const TONE_INTERVAL_MS = 1_500;

const GOES_ON: Expected = { session: 'goes on', neighbour: 'goes on', told: [], facts: [], within: LIMIT_S };
const STARTED_AGAIN: Expected = { ...GOES_ON, told: ['browser-crashed'] };
const HUNG: Expected = { ...GOES_ON, told: ['browser-hung'], within: LIMIT_S + RESTART_S };
const HUNG_ALONE: Expected = { ...GOES_ON, within: LIMIT_S + RESTART_S };
/** Of a page that is waited for, when somebody acts meanwhile. */
const WAITED_FOR = ['page-hung'];
const SOUND_RESTARTED: Expected = { ...GOES_ON, told: ['sound-restarted'] };

/** The processes of a session's parts, by command line. */
const PARTS = {
  renderer: /^\/usr\/lib\/chromium\/chromium --type=renderer/,
  Chromium: CHROMIUM_MAIN,
  Xorg: XORG,
  openbox: /^openbox /,
  PulseAudio: PULSE_AUDIO,
  'network service': /--utility-sub-type=network\.mojom\.NetworkService/,
  bwrap: /^bwrap .*--remote-debugging-pipe/,
  host: /host\/main\.js/,
};
type Part = keyof typeof PARTS;

/** A row in which a signal goes to a part of the session. */
function struck(
  part: Part,
  signal: 'KILL' | 'STOP',
  expected: Expected,
  rest: Partial<Omit<Fault, 'strike'>> = {},
): Fault {
  const name = `${part}, ${signal}`;
  return { name, strike: ({ victim }) => send(victim, PARTS[part], `SIG${signal}`), expected, ...rest };
}

function send(victim: Party, command: RegExp, signal: NodeJS.Signals): void {
  const targets = victim.processes.filter((process) => command.test(process.command));
  if (targets.length === 0) throw new Error(`The session has no process ${String(command)}.`);
  for (const { pid } of targets) process.kill(pid, signal);
}

/** Loads the page in front again, as people do when they read that it crashed, until it is there. */
async function reload({ victim }: Scene, limitMs: number): Promise<void> {
  const { loads } = victim.page;
  await until('the page is loaded again', limitMs, async () => {
    if (victim.page.loads > loads) return true;
    victim.person.click(IN_FIELD);
    victim.person.press('F5');
    return until('it loads', 1_000, () => victim.page.loads > loads).catch(() => false);
  });
}

/** How long a page keeps its processor busy, so that its process is told from those of other pages and of none. */
const BUSY_MS = 600;

/** Stops the process of the page in front, and acts on that page. */
async function stopPage({ victim }: Scene): Promise<void> {
  const renderers = victim.processes.filter(({ command }) => PARTS.renderer.test(command));
  const before = new Map(renderers.map(({ pid }) => [pid, processorTime(pid)]));
  const spin = `{ const end = performance.now() + ${BUSY_MS}; while (performance.now() < end); }`;
  await within('the page is busy', CALL_LIMIT_MS, victim.page.run(spin));
  const used = ({ pid }: { pid: number }) => processorTime(pid) - (before.get(pid) ?? 0);
  const [page] = renderers.sort((a, b) => used(b) - used(a));
  if (!page) throw new Error('The session has no renderer.');
  process.kill(page.pid, 'SIGSTOP');
  victim.person.click(IN_FIELD);
  victim.person.press('KeyA');
}

/** Loads the page anew although its process does nothing any more, as an embedder can. */
async function force({ victim }: Scene, limitMs: number): Promise<void> {
  const { loads, url } = victim.page;
  const { tabs } = victim.person.client;
  await within('the tab goes', limitMs, tabs.update(null, { url, force: true }));
  await until('the page is loaded again', limitMs, () => victim.page.loads > loads);
}

/** A row in which a signal goes to the process that all sessions of a service have their network from. */
function egressStruck(signal: 'KILL' | 'STOP', expected: Expected, rest: Partial<Fault> = {}): Fault {
  return {
    name: `egress, ${signal}`,
    shared: true,
    strike({ service }) {
      const [egress] = descendants(service.pid).filter(({ command }) => EGRESS.test(command));
      if (!egress) throw new Error('The service has no egress process.');
      process.kill(egress.pid, `SIG${signal}`);
    },
    first: navigate,
    expected: { ...expected, logged: /egress process/ },
    ...rest,
  };
}

/** From a request until the script surely runs for it. */
const SCRIPT_RUNS_MS = 1_000;
const ENDLESS = 'http://endless.invalid/';

/** A customer's proxy script never answers for one address; it runs in a thread of the egress process. */
const ENDLESS_PROXY_SCRIPT: Fault = {
  name: 'proxy script without end',
  parameters: {
    http_proxy: {
      pac: `function FindProxyForURL(url, host) { if (url === '${ENDLESS}') for (;;); return 'DIRECT'; }`,
    },
  },
  async strike({ victim }) {
    await within('the tab goes', CALL_LIMIT_MS, victim.person.client.tabs.update(null, { url: ENDLESS }));
    await pause(SCRIPT_RUNS_MS);
  },
  first: navigate,
  expected: HUNG_ALONE,
};

/** Opens a second window, which must come to the front, tell that it is painted, and take a key. */
async function openWindow({ victim, pages }: Scene, limitMs: number): Promise<void> {
  const popup = pages.page('marker');
  const open = `void addEventListener('click', () => open(${JSON.stringify(popup.url)}, '', 'popup'), { once: true })`;
  await until('a window opens', limitMs, async () => {
    if (popup.loads > 0) return true;
    await within('the page takes an order', CALL_LIMIT_MS, victim.page.run(open)).catch(() => undefined);
    victim.person.click(IN_FIELD);
    return until('it is painted', 2_000, () => popup.loads > 0).catch(() => false);
  });
  await popup.run("addEventListener('keydown', ({ key }) => report({ event: key }))");
  await until('the window takes a key', limitMs, async () => {
    victim.person.click(IN_FIELD);
    victim.person.press('KeyB');
    return until('it is told', 500, () => popup.count('b') > 0).catch(() => false);
  });
  await popup.run('close()');
}

/** Goes to another page and back, which takes the network. */
export async function navigate({ victim, pages }: Scene, limitMs: number): Promise<void> {
  const elsewhere = pages.page('marker');
  const { tabs } = victim.person.client;
  const go = (url: string) => within('the tab goes', CALL_LIMIT_MS, tabs.update(null, { url }));
  await until('another page is loaded', limitMs, async () => {
    await go(elsewhere.url).catch(() => undefined);
    return until('it is loaded', 2_000, () => elsewhere.loads > 0).catch(() => false);
  });
  const { loads, url } = victim.page;
  await go(url);
  await until('the page is loaded again', limitMs, () => victim.page.loads > loads);
}

/** Hears a tone that the page plays from now on. */
async function hear({ victim }: Scene, limitMs: number): Promise<void> {
  const { client } = victim.person;
  let sounds = 0;
  const count = () => (sounds += 1);
  client.on('sound', count);
  client.setSound(true);
  const play = `{
    window.context?.close();
    window.context = new AudioContext();
    const tone = new OscillatorNode(context);
    tone.connect(context.destination);
    tone.start();
  }`;
  let tries = 0;
  await until('the tone is heard', limitMs, async () => {
    tries += 1;
    const before = sounds;
    victim.person.click(IN_FIELD);
    await within('the page plays', CALL_LIMIT_MS, victim.page.run(play)).catch(() => undefined);
    return until('sound comes', tries * TONE_INTERVAL_MS, () => sounds > before + 10).catch(() => false);
  });
  client.off('sound', count);
  client.setSound(false);
}

/** Signals to the processes of a session. */
export const PART_ROWS: readonly Fault[] = [
  struck('renderer', 'KILL', { ...GOES_ON, told: ['page-crashed'] }, { first: reload, short: true }),
  {
    name: 'renderer, STOP',
    strike: stopPage,
    first: force,
    toldBefore: 1,
    expected: { ...HUNG_ALONE, told: ['page-hung', 'page-crashed'], logged: /A page does not answer/ },
  },
  struck('Chromium', 'KILL', { ...STARTED_AGAIN, logged: /Chromium ended; starting again/ }, { short: true }),
  struck('Chromium', 'STOP', { ...HUNG, logged: /Chromium/ }),
  struck('Xorg', 'KILL', { ...STARTED_AGAIN, logged: /Xorg ended; starting again/ }, { short: true }),
  struck('Xorg', 'STOP', { ...HUNG, logged: /Xorg/ }),
  struck(
    'openbox',
    'KILL',
    { ...STARTED_AGAIN, logged: /openbox ended; starting again/ },
    { first: openWindow, short: true },
  ),
  struck('openbox', 'STOP', { ...HUNG, logged: /openbox does not answer/ }, { first: openWindow }),
  struck(
    'PulseAudio',
    'KILL',
    { ...SOUND_RESTARTED, logged: /PulseAudio ended; starting again/ },
    { first: hear, short: true },
  ),
  struck('PulseAudio', 'STOP', { ...SOUND_RESTARTED, within: LIMIT_S + RESTART_S }, { first: hear }),
  struck('network service', 'KILL', GOES_ON, { first: navigate, short: true }),
  struck(
    'network service',
    'STOP',
    {
      ...HUNG_ALONE,
      ...{ told: ['network-restarted'], mayBeTold: WAITED_FOR },
      logged: /network service does not answer/,
    },
    { first: navigate },
  ),
  struck('bwrap', 'KILL', { ...STARTED_AGAIN, logged: /Chromium ended; starting again/ }, { short: true }),
  struck('bwrap', 'STOP', GOES_ON),
  struck(
    'host',
    'KILL',
    { ...GOES_ON, session: 'ends: crashed', logged: /a session host stopped unexpectedly/ },
    { short: true },
  ),
  // It is ended in time; its viewers learn of it when they next try to connect.
  struck('host', 'STOP', { ...HUNG_ALONE, session: 'ends: crashed', logged: /host/ }),
  egressStruck('KILL', GOES_ON, { short: true }),
  egressStruck('STOP', { ...HUNG_ALONE, mayBeTold: WAITED_FOR }),
  ENDLESS_PROXY_SCRIPT,
];

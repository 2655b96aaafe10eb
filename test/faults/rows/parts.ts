import { CHROMIUM_MAIN, PULSE_AUDIO, XORG } from '../../e2e/support/processes.js';
import { until, within } from '../../walk/deadline.js';
import type { Expected, Fault } from '../fault.js';
import { IN_FIELD, type Party, type Scene } from '../scene.js';

/** What hangs is ended or started again within this many seconds; what was killed, too. */
const LIMIT_S = 15;
/** A browser that is started again takes its time on a busy machine. Seconds. */
const RESTART_S = 8;
const CALL_LIMIT_MS = 5_000;
/** A tone is played again at this interval until it is heard: a browser may still hold on to the old sound server. */
const TONE_INTERVAL_MS = 1_500;

const GOES_ON: Expected = { session: 'goes on', neighbour: 'goes on', told: [], facts: [], within: LIMIT_S };
const STARTED_AGAIN: Expected = { ...GOES_ON, told: ['browser-crashed'] };
const HUNG: Expected = { ...GOES_ON, told: ['browser-hung'], within: LIMIT_S + RESTART_S };
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

/** Closes a page whose process does nothing any more; the start page opens in its place. */
async function closeTab({ victim }: Scene, limitMs: number): Promise<void> {
  const { loads } = victim.page;
  const { tabs } = victim.person.client;
  const [tab] = await within('tabs are listed', limitMs, tabs.query({}));
  if (tab?.id === undefined) throw new Error('The session has no tab.');
  await within('the tab closes', limitMs, tabs.remove(tab.id));
  await until('the page is loaded again', limitMs, () => victim.page.loads > loads);
}

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
  await until('the tone is heard', limitMs, async () => {
    const before = sounds;
    victim.person.click(IN_FIELD);
    await within('the page plays', CALL_LIMIT_MS, victim.page.run(play)).catch(() => undefined);
    return until('sound comes', TONE_INTERVAL_MS, () => sounds > before + 10).catch(() => false);
  });
  client.off('sound', count);
  client.setSound(false);
}

/** Signals to the processes of a session. */
export const PART_ROWS: readonly Fault[] = [
  struck('renderer', 'KILL', { ...GOES_ON, told: ['page-crashed'] }, { first: reload, short: true }),
  struck('renderer', 'STOP', GOES_ON, { first: closeTab }),
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
  struck('openbox', 'STOP', { ...GOES_ON, within: LIMIT_S + RESTART_S }, { first: openWindow }),
  struck(
    'PulseAudio',
    'KILL',
    { ...SOUND_RESTARTED, logged: /PulseAudio ended; starting again/ },
    { first: hear, short: true },
  ),
  struck('PulseAudio', 'STOP', { ...SOUND_RESTARTED, within: LIMIT_S + RESTART_S }, { first: hear }),
  struck('network service', 'KILL', GOES_ON, { first: navigate, short: true }),
  struck('network service', 'STOP', { ...GOES_ON, within: LIMIT_S + RESTART_S }, { first: navigate }),
  struck('bwrap', 'KILL', { ...STARTED_AGAIN, logged: /Chromium ended; starting again/ }, { short: true }),
  struck('bwrap', 'STOP', GOES_ON),
  struck(
    'host',
    'KILL',
    { ...GOES_ON, session: 'ends: crashed', logged: /a session host stopped unexpectedly/ },
    { short: true },
  ),
  struck('host', 'STOP', { ...GOES_ON, session: 'ends: crashed', logged: /host/ }),
];

import type { HostedPage } from '../../e2e/support/hosted-page.js';
import { processorTime } from '../../e2e/support/processes.js';
import { until, within } from '../../walk/deadline.js';
import type { Expected, Fault } from '../fault.js';
import { IN_FIELD, type Party, type Scene } from '../scene.js';
import { CALL_LIMIT_MS, force, reload } from './firsts.js';
import { GOES_ON, HUNG_ALONE, PARTS, row, struck } from './struck.js';

/** Time for which a page keeps its process busy, so that the test can identify the process. */
const BUSY_MS = 600;
const LOAD_LIMIT_MS = 20_000;

const CRASHED: Expected = { ...GOES_ON, told: ['page-crashed'] };
const RESUMED: Expected = {
  ...GOES_ON,
  told: ['browser-resumed'],
  logged: /A page process was stopped and is/,
};

/** Another page of the struck session. */
const others = new WeakMap<Party, HostedPage>();

function otherOf({ victim }: Scene): HostedPage {
  const other = others.get(victim);
  if (!other) throw new Error('The session has no other page.');
  return other;
}

/** The address of a page on another site, so it has a process of its own. */
const elsewhere = ({ url }: HostedPage) => url.replace('127.0.0.1', 'localhost');

/** Opens a tab on another site, and comes back to the first. */
async function openTab({ victim, pages }: Scene): Promise<void> {
  const page = pages.page('marker');
  others.set(victim, page);
  const { tabs } = victim.person.client;
  await within('a tab opens', LOAD_LIMIT_MS, tabs.create({ url: elsewhere(page), active: false }));
  await until('it is loaded', LOAD_LIMIT_MS, () => page.loads > 0);
  await victim.types(LOAD_LIMIT_MS);
}

/** Puts a frame of another site into the page. */
async function openFrame({ victim, pages }: Scene): Promise<void> {
  const page = pages.page('marker');
  others.set(victim, page);
  const put = `{
    const frame = document.createElement('iframe');
    frame.src = ${JSON.stringify(elsewhere(page))};
    frame.style = 'position: fixed; right: 0; bottom: 0; width: 90px; height: 90px';
    document.body.append(frame);
  }`;
  await within('the page takes a frame', CALL_LIMIT_MS, victim.page.run(put));
  await until('it is loaded', LOAD_LIMIT_MS, () => page.loads > 0);
}

/** The process of a page: the one that is busy when the page is. */
async function processOf(victim: Party, page: HostedPage): Promise<readonly number[]> {
  const renderers = victim.processes.filter(({ command }) => PARTS['all pages'].test(command));
  const before = new Map(renderers.map(({ pid }) => [pid, processorTime(pid)]));
  const spin = `{ const end = performance.now() + ${BUSY_MS}; while (performance.now() < end); }`;
  await within('the page is busy', CALL_LIMIT_MS, page.run(spin));
  const used = ({ pid }: { pid: number }) => processorTime(pid) - (before.get(pid) ?? 0);
  const [found] = renderers.sort((a, b) => used(b) - used(a));
  if (!found) throw new Error('The session has no renderer.');
  return [found.pid];
}

const front = ({ victim }: Scene) => processOf(victim, victim.page);
const other = (scene: Scene) => processOf(scene.victim, otherOf(scene));

/** Checks that the other page answers again. */
async function otherAnswers(scene: Scene, limitMs: number): Promise<void> {
  await within('the other page answers', limitMs, otherOf(scene).run('1'));
}

/** Acts on a page that does not answer. */
function act({ victim }: Scene): void {
  victim.person.click(IN_FIELD);
  victim.person.press('KeyA');
}

/**
 * Parameters with the browser's own bar above the page. The screen is higher, so that the page's field is at
 * the clicked place.
 */
const TAB = { prepare: openTab, parameters: { kiosk: false, height: 720 } };
const FRAME = { prepare: openFrame };

/** Pages and frames, whose processes Chromium starts as it needs them. */
export const PAGE_ROWS: readonly Fault[] = [
  struck('all pages', 'KILL', CRASHED, { first: reload, short: true }),
  row('page in front', 'STOP', front, RESUMED, { short: true }),
  row(
    'page in front',
    'HOLD',
    front,
    { ...HUNG_ALONE, told: ['page-hung', 'page-crashed'], logged: /A page does not answer/ },
    { after: act, first: force, toldBefore: 1 },
  ),
  row('page in the background', 'KILL', other, CRASHED, TAB),
  row('page in the background', 'STOP', other, RESUMED, { ...TAB, first: otherAnswers }),
  // A hidden page may be paused for any time.
  row('page in the background', 'HOLD', other, GOES_ON, TAB),
  row('frame of another site', 'KILL', other, CRASHED, FRAME),
  row('frame of another site', 'STOP', other, RESUMED, { ...FRAME, first: otherAnswers }),
];

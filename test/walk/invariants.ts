import { NotConnectedError } from '../../src/core/errors.js';
import type { MethodArgs, SessionMethod } from '../../src/protocol/index.js';
import { patient } from '../support/limits.js';
import type { Scene } from './scene.js';
import { until, within } from './deadline.js';
import { lookAt, type DisplayPlace, type DisplayState } from './display.js';
import type { Person } from './person.js';
import type { BuiltService, LogLine } from '../support/built-service.js';
import type { Probe } from './site/hostile-site.js';

/** Milliseconds in which a page must answer a click. */
const CLICK_LIMIT_MS = patient(2_000);
/** Milliseconds for a page to load, and for a window to reach its place. */
const SETTLE_LIMIT_MS = patient(5_000);
/** Milliseconds for the address bar to open a page. Otherwise the embedder opens it. */
const ADDRESS_LIMIT_MS = 5_000;
/** Largest black part of the picture. The pages of the site are light. */
const MOST_BLACK = 0.05;
/** Milliseconds for a popup to close. The browser gives up one that does not answer after some seconds. */
const POPUP_LIMIT_MS = patient(10_000);
/** A call by force first asks the page, and then ends its process. */
const CALL_LIMIT_MS = 10_000;
const MIDDLE = { across: 0.5, down: 0.6 };

/** A condition that must hold after any act of a site or a person. */
export interface Invariant {
  name: string;
  /** Rejects with a description of the violation. */
  check: () => Promise<void>;
}

/**
 * Resets a session: the users close dialogs and popups, and open a page. A kiosk has no address bar, so there
 * the embedder opens the page, by force if the current page refuses. Resolves to the new page.
 */
export async function settle(scene: Scene, display: DisplayPlace): Promise<Probe> {
  const { person, mode, site, guest } = scene;
  guest?.leave();
  scene.guest = undefined;
  await person.playing();
  person.release();
  await call(scene, 'resize', 1280, 720);
  for (let dialog = 0; dialog < 3; dialog++) person.press('Escape');
  const probe = site.probe();
  if (mode === 'tabs') {
    person.press('Control+KeyT');
    await person.type(probe.url.replace('http://', ''));
    person.press('Enter');
    await until('the address bar opens a page', ADDRESS_LIMIT_MS, () => probe.loads > 0).catch(
      () => undefined,
    );
    if (probe.loads === 0) await call(scene, 'tabs.create', { url: probe.url });
  } else {
    await closePopups(person, display);
    await call(scene, 'tabs.update', null, { url: probe.url, force: true });
  }
  return probe;
}

/** A popup of a kiosk takes the keys that close windows; its page does not. */
async function closePopups(person: Person, display: DisplayPlace): Promise<void> {
  const popups = async () => (await lookAt(display)).windows.filter(({ role }) => role === 'pop-up').length;
  for (let open = await popups(); open > 0;) {
    const before = open;
    person.press('Alt+F4');
    await until('the popup in front is gone', POPUP_LIMIT_MS, async () => (open = await popups()) < before);
  }
}

/** The invariants that are checked after a walk has settled on a page. */
export function invariants(
  scene: Scene,
  probe: Probe,
  service: BuiltService,
  display: DisplayPlace,
  /** Number of earlier lines of the log. */
  logged: number,
): Invariant[] {
  const { session, person, mode, site } = scene;
  const look = () => within('the display answers', SETTLE_LIMIT_MS, lookAt(display));
  return [
    {
      name: 'the session runs',
      async check() {
        if (!(await service.runs(session))) throw new Error('The session is over.');
      },
    },
    {
      name: 'the viewer is live',
      async check() {
        if (person.client.state !== 'playing') throw new Error(`The viewer is ${person.client.state}.`);
        const ping = () => within('the host answers a ping', CLICK_LIMIT_MS, person.client.ping());
        const rtt = await ping().catch(async (error: unknown) => {
          if (!(error instanceof NotConnectedError)) throw error;
          // On a busy machine the host may be silent for six seconds. Then the viewer connects again.
          await person.playing();
          return ping();
        });
        if (!(rtt >= 0)) throw new Error('The host did not answer.');
      },
    },
    {
      name: 'a page that is asked for opens',
      async check() {
        await until('the page is loaded', SETTLE_LIMIT_MS, () => probe.loads > 0);
      },
    },
    {
      name: 'a page answers a click soon, and the picture shows it',
      async check() {
        const [clicks, shown] = [probe.clicks, person.shown];
        person.click(MIDDLE);
        await site.clicked(probe, clicks, CLICK_LIMIT_MS);
        await until('a frame shows the click', CLICK_LIMIT_MS, () => person.shown !== shown);
      },
    },
    {
      name: 'one window that fills the screen is in front',
      async check() {
        let seen: DisplayState | undefined;
        await until('the window in front fills the screen', SETTLE_LIMIT_MS, async () => {
          seen = await look();
          return fillsScreen(seen, mode === 'kiosk');
        }).catch(() => {
          throw new Error(`The display has ${JSON.stringify(seen)}.`);
        });
      },
    },
    {
      name: 'the picture is not black',
      async check() {
        const { black } = await look();
        if (black > MOST_BLACK) throw new Error(`${Math.round(black * 100)} % of the picture is black.`);
      },
    },
    {
      name: 'a kiosk shows its page and nothing else',
      async check() {
        const { width, height } = person.screen;
        if (mode === 'kiosk' && (probe.width !== width || probe.height !== height))
          throw new Error(`The page has ${probe.width} x ${probe.height} of ${width} x ${height}.`);
      },
    },
    {
      name: 'no part but the browser ended, and no error was logged',
      async check() {
        const bad = service.log.slice(logged).filter(isBad);
        if (bad.length > 0) throw new Error(`The log says:\n${bad.map(({ text }) => text).join('\n')}`);
      },
    },
  ];
}

function fillsScreen({ windows, width, height }: DisplayState, alone: boolean): boolean {
  const front = windows.filter(({ active }) => active);
  const [first] = front;
  if (!first || (alone && windows.length !== 1)) return false;
  return first.x === 0 && first.y === 0 && first.width === width && first.height === height;
}

/**
 * A session recovers from a crash of Chromium, which all other invariants prove. The walk reports the crash.
 */
export function isCrash({ message }: LogLine): boolean {
  return message.startsWith('Chromium ended; starting again');
}

/** An error, or a restart of another part of the session. */
function isBad(line: LogLine): boolean {
  return line.level === 'error' || (line.message.includes('starting again') && !isCrash(line));
}

async function call<M extends SessionMethod>(
  { person }: Scene,
  method: M,
  ...args: MethodArgs<M>
): Promise<void> {
  await within(method, CALL_LIMIT_MS, person.client.remote.call(method, args)).catch(() => undefined);
}

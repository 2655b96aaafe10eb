import { patient } from '../support/limits.js';
import { within, pause, until } from './deadline.js';
import { Person } from './person.js';
import type { Session } from '../e2e/support/service.js';
import type { BuiltService } from '../support/built-service.js';
import type { HostileSite, Probe } from './site/hostile-site.js';

/** Milliseconds that a page runs before it is clicked. */
const LOOK_AROUND_MS = 450;
const CALL_LIMIT_MS = 2_000;
const LOAD_LIMIT_MS = patient(15_000);
/** Milliseconds in which the neighbour's page must answer a click and its picture must change. */
const NOTICE_LIMIT_MS = patient(2_000);
const MIDDLE = { across: 0.5, down: 0.6 };

/** A disturbance that a page in one session caused in a neighbour's session. */
export interface Disturbance {
  page: string;
  problem: string;
}

/**
 * Opens every page of the hostile site in one session, one after the other. Checks a neighbour's session each
 * time.
 */
export async function visitAll(service: BuiltService, site: HostileSite): Promise<Disturbance[]> {
  const probe = site.probe();
  const sessions: Session[] = [];
  const people: Person[] = [];
  const enter = async (url: string) => {
    const session = await service.create({ start_url: url, kiosk: true, fps: 30 });
    sessions.push(session);
    const person = await Person.join(session);
    people.push(person);
    return person;
  };
  try {
    const neighbour = await enter(probe.url);
    const visitor = await enter(site.home);
    await until("the neighbour's page is loaded", LOAD_LIMIT_MS, () => probe.loads > 0);
    const disturbances: Disturbance[] = [];
    for (const page of site.names) {
      const tab = await visit(visitor, site.address(page));
      await notice(neighbour, site, probe).catch((error: unknown) => {
        disturbances.push({ page, problem: error instanceof Error ? error.message : String(error) });
      });
      await leave(visitor, tab);
    }
    return disturbances;
  } finally {
    for (const person of people) person.leave();
    for (const session of sessions) await service.end(session).catch(() => undefined);
  }
}

/**
 * Opens the page in a tab of its own and does what the page waits for. The page may refuse any of these
 * steps.
 */
async function visit(visitor: Person, url: string): Promise<number | undefined> {
  const created = within('the tab opens', CALL_LIMIT_MS, visitor.client.tabs.create({ url }));
  const tab = await created.catch(() => undefined);
  await pause(LOOK_AROUND_MS);
  visitor.click(MIDDLE);
  await visitor.type('a \u00e9');
  return tab?.id;
}

async function leave(visitor: Person, tab: number | undefined): Promise<void> {
  visitor.release();
  visitor.press('Escape');
  if (tab === undefined) return;
  await within('the tab closes', CALL_LIMIT_MS, visitor.client.tabs.remove(tab)).catch(() => undefined);
}

async function notice(neighbour: Person, site: HostileSite, probe: Probe): Promise<void> {
  const [frames, clicks] = [neighbour.frames, probe.clicks];
  neighbour.click(MIDDLE);
  await site.clicked(probe, clicks, NOTICE_LIMIT_MS);
  await until("the neighbour's picture moves", NOTICE_LIMIT_MS, () => neighbour.frames > frames);
}

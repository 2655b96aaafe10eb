import type { HostPlace } from '../../server/src/host-protocol.js';
import type { Disconnection } from '../../src/core/index.js';
import type { HostedPage } from '../e2e/support/hosted-page.js';
import type { PageServer } from '../e2e/support/page-server.js';
import { descendants, SESSION_HOST, type ProcessInfo } from '../e2e/support/processes.js';
import type { Session } from '../e2e/support/service.js';
import { patient } from '../support/limits.js';
import { pause, until } from '../walk/deadline.js';
import { Person } from '../walk/person.js';
import { isRecord } from '../../server/src/platform/is-record.js';
import type { BuiltService } from '../support/built-service.js';

/** Pause between two attempts of a user to type, in milliseconds. */
const TYPING_INTERVAL_MS = 200;
const LOAD_LIMIT_MS = patient(30_000);
/** A place in the page's text field. */
export const IN_FIELD = { across: 0.2, down: 0.2 };

/** One session on a page that reports its events, and the user who watches it. */
export class Party {
  /** The kinds of the notices that came. */
  readonly notices: string[] = [];
  /** The time of each notice, by `performance.now()`. */
  readonly noticeTimes: number[] = [];
  /** End of the viewer's connection; undefined while there is none. */
  end: Disconnection | undefined;

  private constructor(
    readonly session: Session,
    readonly page: HostedPage,
    readonly person: Person,
    /** The session's host and its directory. */
    readonly host: ProcessInfo,
    readonly place: HostPlace,
  ) {
    person.client.on('notice', ({ kind }) => {
      this.notices.push(kind);
      this.noticeTimes.push(performance.now());
    });
    person.client.on('disconnect', (end) => (this.end = end));
  }

  /** Creates a session, watches it, and types into its page once. */
  static async enter(
    service: BuiltService,
    pages: PageServer,
    parameters: Readonly<Record<string, unknown>> = {},
  ): Promise<Party> {
    const known = new Set(hostsOf(service.pid).map(({ pid }) => pid));
    const page = pages.page('typing');
    const size = { width: 640, height: 480, fps: 30 };
    const session = await service.create({ start_url: page.url, kiosk: true, ...size, ...parameters });
    const host = hostsOf(service.pid).find(({ pid }) => !known.has(pid));
    if (!host) throw new Error('The session has no host.');
    const party = new Party(session, page, await Person.join(session), host, placeOf(host));
    await until('the page is loaded', LOAD_LIMIT_MS, () => page.loads > 0);
    await party.types(LOAD_LIMIT_MS);
    return party;
  }

  /** Discards the notices so far. */
  forgetNotices(): void {
    this.notices.length = 0;
    this.noticeTimes.length = 0;
  }

  /** All processes of the session. */
  get processes(): ProcessInfo[] {
    return [this.host, ...descendants(this.host.pid)];
  }

  /** Types until a key of now has reached the page and a newer frame was seen. Rejects after the limit. */
  async types(limitMs: number): Promise<void> {
    const { page, person } = this;
    const [keys, frames] = [page.count('keydown a'), person.frames];
    await until('typing reaches the page', limitMs, async () => {
      if (page.count('keydown a') > keys && person.frames > frames) return true;
      person.click(IN_FIELD);
      person.press('KeyA');
      await pause(TYPING_INTERVAL_MS);
      return false;
    });
  }

  /** Types until a newer frame shows it, because this page cannot report it. */
  async seesTyping(limitMs: number): Promise<void> {
    const { person } = this;
    const { frames, shown } = person;
    await until('the picture shows what is typed', limitMs, async () => {
      if (person.frames > frames + 1 && person.shown !== shown) return true;
      person.press('KeyA');
      await pause(TYPING_INTERVAL_MS);
      return false;
    });
  }
}

/** Sessions of a fault. */
export interface Scene {
  service: BuiltService;
  pages: PageServer;
  /** The session that is struck. */
  victim: Party;
  /** A session beside it. */
  neighbour: Party;
}

/** The session hosts of a service. */
export function hostsOf(service: number): ProcessInfo[] {
  return descendants(service).filter(({ command }) => SESSION_HOST.test(command));
}

function placeOf({ command }: ProcessInfo): HostPlace {
  // The size of its screen may follow as another argument.
  const [place = ''] = /\{.*?\}/.exec(command) ?? [];
  const value: unknown = JSON.parse(place);
  if (!isRecord(value)) throw new Error(`A host has no place: ${command}`);
  const { directory, extensions, uid, gid } = value;
  if (typeof directory !== 'string' || typeof extensions !== 'string')
    throw new Error(`A host has no place: ${command}`);
  const user = typeof uid === 'number' && typeof gid === 'number' ? { uid, gid } : {};
  return { directory, extensions, ...user };
}

import type { FeatureBrowser, FeatureParts } from '../../feature.js';
import type { SessionUser } from 'cloud-browser/protocol';
import { CallEvents } from './call-events.js';
import { CommandLog } from './command-log.js';
import type { EventLog } from './event-log.js';
import { MAX_ENTERED_CHARS } from './typed-text.js';

/** Number of leading bytes of a pasted text that are decoded. All remembered characters are in them. */
const MAX_ENTERED_BYTES = 4 * MAX_ENTERED_CHARS;

/** The parts of the session that a recording follows. */
type Parts = Pick<FeatureParts, 'calls' | 'users' | 'session'>;

/**
 * Follows a session while it is recorded, and writes the events of its users, agents, calls, tabs and pages.
 * The recording feature passes users' input directly to the log.
 */
export class RecordedSessionEvents {
  #browser: FeatureBrowser | undefined;
  /** The browser whose tabs are watched, and a function that reports all open tabs again. */
  #watched: { browser: FeatureBrowser; report: () => void } | undefined;
  #log: EventLog | undefined;
  #commands: CommandLog | undefined;
  #inControl: ReadonlySet<string> = new Set();
  /** Persons whose join is written and who have not left. */
  readonly #joined = new Set<string>();
  /** Roles and permissions of the users, as text. */
  #rights = new Map<string, string>();

  constructor(private readonly parts: Parts) {}

  /** Writes the events into a log, from now on. */
  begin(log: EventLog): void {
    const { calls, users } = this.parts;
    this.#log = log;
    const commands = new CommandLog((event) => log.publicly(event));
    this.#commands = commands;
    const callEvents = new CallEvents(
      log,
      () => users.control.lastToAct(),
      () => this.#listPages(),
    );
    calls.onPublished = (name, args) => callEvents.published(name, args);
    calls.onPerformed = (method, args, { viewer, acting }) =>
      callEvents.performed(method, args, viewer?.userId ?? acting?.agent.id);
    users.agents.observer = {
      onJoined: ({ id, name }) => log.about({ type: 'agent_connected', user: id, name }),
      onLeft: ({ id }) => {
        commands.flush(id);
        log.about({ type: 'agent_disconnected', user: id });
      },
      onAct: ({ id }, act) => {
        if ('event' in act) log.input(id, act.event, act.page);
        else log.publicly({ type: 'accessible_action', user: id, action: act.element });
      },
      onCommand: (id, kind) => commands.add(id, kind),
      onHandoff: ({ id, agent, outcome, answeredBy }) => {
        const of = { handoff: id, ...(agent !== null && { agent }) };
        if (!outcome) log.about({ type: 'handoff_requested', ...of });
        else
          log.about({
            type: 'handoff_ended',
            ...of,
            outcome,
            ...(answeredBy !== null && { user: answeredBy }),
          });
      },
    };
    this.#joined.clear();
    this.#inControl = new Set();
    this.#rights = rightsOf(users.roster.list());
    for (const { id, kind, name = '' } of users.roster.list())
      if (kind === 'person') this.#join(log, id);
      else log.about({ type: 'agent_connected', user: id, name });
    this.usersChanged();
    this.#watchBrowser();
  }

  /** Writes the counts of the agents' commands. */
  tick(): void {
    this.#commands?.flush();
  }

  /** Stops following the session. */
  end(): void {
    if (!this.#log) return;
    this.#commands?.flush();
    const { calls, users } = this.parts;
    [calls.onPublished, calls.onPerformed, users.agents.observer] = [undefined, undefined, undefined];
    if (this.#browser) this.#browser.devices.pages.events.onRecorded = undefined;
    [this.#log, this.#commands] = [undefined, undefined];
  }

  /** Uses a browser that has started. */
  browserStarted(browser: FeatureBrowser): void {
    this.#browser = browser;
    this.#log?.about({ type: 'browser_started' });
    this.#watchBrowser();
  }

  browserIsGone(): void {
    this.#browser = undefined;
    if (!this.#log) return;
    this.#log.elements = undefined;
    this.#log.about({ type: 'browser_ended' });
  }

  viewerJoined(user: string): void {
    if (!this.#log) return;
    this.#join(this.#log, user);
    this.usersChanged();
  }

  userLeft(user: string): void {
    this.#joined.delete(user);
    this.#log?.about({ type: 'user_left', user });
  }

  /**
   * Writes events for users who got or lost control, and for users whose rights have changed. The roster
   * reports a new user before {@link viewerJoined} is called. The control of this user is written then, after
   * the join.
   */
  usersChanged(): void {
    const log = this.#log;
    if (!log) return;
    const users = this.parts.users.roster.list();
    const present = users.filter(({ id, kind }) => kind === 'agent' || this.#joined.has(id));
    const now = new Set(present.filter(({ controlling }) => controlling).map(({ id }) => id));
    for (const user of now) if (!this.#inControl.has(user)) log.about({ type: 'control_gained', user });
    for (const user of this.#inControl) if (!now.has(user)) log.about({ type: 'control_lost', user });
    this.#inControl = now;
    const rights = rightsOf(users);
    for (const { id: user, roles, permissions } of users) {
      const before = this.#rights.get(user);
      if (before !== undefined && before !== rights.get(user))
        log.about({ type: 'rights_changed', user, roles, control_disabled: permissions.control_disabled });
    }
    this.#rights = rights;
  }

  #join(log: EventLog, user: string): void {
    this.#joined.add(user);
    log.about({ type: 'user_joined', user });
  }

  async #listPages(): Promise<unknown> {
    return this.#browser?.bridge.call('listPages');
  }

  #watchBrowser(): void {
    const browser = this.#browser;
    if (!browser || !this.#log) return;
    this.#log.elements = browser.clickedElements;
    const { pages, clipboard } = browser.devices;
    clipboard.onSent = (data) => {
      // A pasted text may have megabytes. Only its beginning is remembered.
      const start = data.get('text/plain')?.subarray(0, MAX_ENTERED_BYTES);
      if (start) this.#log?.entered(new TextDecoder().decode(start));
    };
    browser.accessibilityActions.onSet = (value) => this.#log?.entered(value);
    pages.events.onRecorded = (tab, type) => this.#log?.publicly({ type, tab });
    pages.dialogs.onRecorded = (...report) => this.#log?.dialog(...report);
    // The bridge to the session's own extension reports when a user switches to another tab. A kiosk shows no
    // tabs, so it does not need these reports.
    if (!this.parts.session.kiosk) void browser.bridge.open().catch(() => undefined);
    if (this.#watched?.browser === browser) {
      this.#watched.report();
      return;
    }
    const report = browser.watchTabs({
      onOpened: (tab, opener) => this.#log?.onOpened(tab, opener),
      onClosed: (tab) => this.#log?.onClosed(tab),
      onAddress: (tab, url) => {
        this.#log?.onAddress(tab, url);
        pages.events.addressChanged(tab);
      },
      onTitle: (tab, title) => this.#log?.onTitle(tab, title),
    });
    this.#watched = { browser, report };
  }
}

function rightsOf(users: readonly SessionUser[]): Map<string, string> {
  return new Map(
    users.map(({ id, roles, permissions }) => [
      id,
      JSON.stringify([[...roles].sort(), permissions.control_disabled]),
    ]),
  );
}

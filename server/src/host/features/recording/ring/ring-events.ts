import type { RecordedEvent } from '../events/event-queue.js';

/** Maximum number of events in a ring. A page can cause any number of events. */
export const MAX_EVENTS = 20_000;

/** An event with its time in seconds. */
type TimedEvent = RecordedEvent & { t: number };

/**
 * Field of an event that names the subject of a fact: a user, a tab or a hand-off. Undefined for a fact about
 * the whole session.
 */
type About = 'user' | 'tab' | 'handoff' | undefined;

/**
 * Events that set a fact, with the kind and the subject of the fact. A fact, for example an open tab, is true
 * until another event ends or replaces it.
 */
const SETS: Readonly<Record<string, [fact: string, about: About]>> = {
  user_joined: ['user', 'user'],
  agent_connected: ['user', 'user'],
  control_gained: ['control', 'user'],
  rights_changed: ['rights', 'user'],
  privacy_started: ['privacy', undefined],
  tab_opened: ['tab', 'tab'],
  navigation: ['address', 'tab'],
  title: ['title', 'tab'],
  tab_activated: ['active tab', undefined],
  dialog_opened: ['dialog', undefined],
  handoff_requested: ['handoff', 'handoff'],
  size: ['size', undefined],
};

/** Events that end facts, with the kinds and the subject of these facts. */
const ENDS: Readonly<Record<string, [facts: readonly string[], about: About]>> = {
  user_left: [['user', 'control', 'rights'], 'user'],
  agent_disconnected: [['user', 'control', 'rights'], 'user'],
  control_lost: [['control'], 'user'],
  privacy_ended: [['privacy'], undefined],
  tab_closed: [['tab', 'address', 'title'], 'tab'],
  dialog_closed: [['dialog'], undefined],
  handoff_ended: [['handoff'], 'handoff'],
};

/** Facts about a browser. They end when the browser ends, without events of their own. */
const OF_BROWSER: readonly string[] = ['tab', 'address', 'title', 'active tab', 'dialog'];

/**
 * The events of the last seconds. This class also keeps older events whose facts are still true: users,
 * control, open tabs. A recording of the last seconds starts with these facts.
 */
export class RingEvents {
  #events: TimedEvent[] = [];
  /** Facts that older events have set, by kind and subject. */
  readonly #facts = new Map<string, TimedEvent>();

  /** Adds an event, as JSON with its time `t`. */
  add(json: string): void {
    this.#events.push(JSON.parse(json) as TimedEvent);
    if (this.#events.length > MAX_EVENTS) this.#fold(this.#events.splice(0, MAX_EVENTS / 2));
  }

  /** Forgets the events before a time in seconds. */
  forgetBefore(time: number): void {
    const kept = this.#events.findIndex(({ t }) => t >= time);
    this.#fold(this.#events.splice(0, kept < 0 ? this.#events.length : kept));
  }

  /** Returns the facts and the events, as JSON. Their times are relative to a time in seconds. */
  since(time: number): string[] {
    return [...this.#facts.values(), ...this.#events].map((event) =>
      JSON.stringify({ ...event, t: Math.max(0, Math.round((event.t - time) * 1000) / 1000) }),
    );
  }

  #fold(events: readonly TimedEvent[]): void {
    for (const event of events) {
      if (event.type === 'browser_ended') this.#forgetBrowser();
      const [fact, about] = SETS[event.type] ?? [];
      if (fact !== undefined) {
        const name = nameOf(fact, about, event);
        // Moves the fact to the end, so that facts have the order of their events.
        this.#facts.delete(name);
        this.#facts.set(name, event);
      }
      const [facts = [], subject] = ENDS[event.type] ?? [];
      for (const ended of facts) this.#facts.delete(nameOf(ended, subject, event));
    }
  }

  #forgetBrowser(): void {
    for (const [name, { type }] of this.#facts) {
      const [fact = ''] = SETS[type] ?? [];
      if (OF_BROWSER.includes(fact)) this.#facts.delete(name);
    }
  }
}

function nameOf(fact: string, about: About, event: RecordedEvent): string {
  return about === undefined ? fact : `${fact} ${String(event[about])}`;
}

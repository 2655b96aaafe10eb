/** Maximum number of events to read. */
const MAX_EVENTS = 20_000;
/** Longest gap in seconds between two events that does not count as idle. */
const IDLE_SECONDS = 6;
/**
 * An idle span starts this many seconds after an event, and ends {@link IDLE_END} seconds before the next
 * event.
 */
const IDLE_START = 2;
const IDLE_END = 1;

/** Importance of an event on the timeline. */
export type EventWeight = 'input' | 'page' | 'marker' | 'problem';

/** An event of a recording. */
export interface ReplayEvent {
  /** Time in seconds since the start of the recording. */
  readonly time: number;
  readonly type: string;
  /** Address, name or number that belongs to the event. Empty if there is none. */
  readonly detail: string;
  /** Number of the user, counted from 1. Undefined for events without a user. */
  readonly user: number | undefined;
  /** Name of the user if it is an agent. Empty for an agent without a name. Undefined for persons. */
  readonly agent: string | undefined;
}

/** A part of the recording with a title. */
export interface Chapter {
  readonly start: number;
  readonly end: number;
  readonly title: string;
}

/** Start and end of a part of the recording in seconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const WEIGHTS: ReadonlyMap<string, EventWeight> = new Map(
  Object.entries<EventWeight>({
    ...{ marker: 'marker', browser_ended: 'problem', browser_started: 'problem' },
    ...{ navigation: 'page', tab_opened: 'page', tab_closed: 'page', dialog_opened: 'page' },
    ...{ download: 'page', back: 'page', forward: 'page', reload: 'page', upload: 'page' },
    ...{ page_crashed: 'problem', handoff_requested: 'page', handoff_ended: 'page' },
    ...{ agent_connected: 'page', agent_disconnected: 'page' },
    ...{ user_joined: 'page', user_left: 'page', control_gained: 'page', control_lost: 'page' },
    ...{ privacy_started: 'page', privacy_ended: 'page' },
  }),
);

/** Returns the importance of a kind of events. */
export function weightOf(type: string): EventWeight {
  return WEIGHTS.get(type) ?? 'input';
}

/** Events whose detail is the role of a clicked element that has no name. */
const WITH_ROLE = new WeakSet<ReplayEvent>();

/** True if the detail of an event is a role instead of a name. */
export function isDetailRole(event: ReplayEvent): boolean {
  return WITH_ROLE.has(event);
}

/** Parses events: one JSON object per line. Skips lines without an event. */
export function parseEvents(lines: string): ReplayEvent[] {
  const users: Users = { ids: [], agents: new Map() };
  const events: ReplayEvent[] = [];
  for (const line of lines.split('\n')) {
    const event = eventIn(line, users);
    if (event) events.push(event);
    if (events.length === MAX_EVENTS) break;
  }
  // The recorder counts a series of inputs in one event. It writes this event after the series, with the
  // time of the start. So the lines are not in order of time.
  return events.sort((a, b) => a.time - b.time);
}

/** Returns the chapters: one for each marker or navigation that has a detail. The detail is the title. */
export function chaptersOf(events: readonly ReplayEvent[], duration: number): Chapter[] {
  const starts = events.filter(({ type, detail }) => (type === 'marker' || type === 'navigation') && detail);
  return starts.flatMap(({ time: start, detail: title }, index) => {
    const end = starts[index + 1]?.time ?? duration;
    return end > start ? [{ start, end, title }] : [];
  });
}

/**
 * Returns the idle spans: one in each gap of more than {@link IDLE_SECONDS} between events. A recording
 * without any events has no idle spans.
 */
export function idleSpans(events: readonly ReplayEvent[], duration: number): Span[] {
  if (events.length === 0) return [];
  const times = [0, ...events.map(({ time }) => time), duration];
  return times.flatMap((time, index) => {
    const next = times[index + 1];
    if (next === undefined || next - time <= IDLE_SECONDS) return [];
    const end = next === duration ? duration : next - IDLE_END;
    return [{ start: index === 0 ? 0 : time + IDLE_START, end }];
  });
}

/** Users of the events that were read so far. */
interface Users {
  /** Ids in the order in which the users appear. */
  readonly ids: string[];
  /** Names of the agents by id. */
  readonly agents: Map<string, string>;
}

function eventIn(line: string, users: Users): ReplayEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // The last line of a running recording may be incomplete.
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const { t: time, type } = fields;
  // The request of an agent for a person names its agent in another field.
  const user = type === 'handoff_requested' ? fields['agent'] : fields['user'];
  if (typeof time !== 'number' || !(time >= 0) || typeof type !== 'string') return undefined;
  const detail = detailOf(type, fields);
  if (typeof user !== 'string') return { time, type, detail, user: undefined, agent: undefined };
  if (type === 'agent_connected') users.agents.set(user, detail);
  const event = { time, type, detail, user: numberOf(user, users.ids), agent: users.agents.get(user) };
  if (detail !== '' && detail === fields['role'] && !fields['name']) WITH_ROLE.add(event);
  return event;
}

/**
 * Returns a user's number, in the order in which users appear. The element shows numbers, because ids mean
 * nothing to a reader.
 */
function numberOf(user: string, users: string[]): number {
  if (!users.includes(user)) users.push(user);
  return users.indexOf(user) + 1;
}

function detailOf(type: string, fields: Readonly<Record<string, unknown>>): string {
  if (type === 'typing') {
    const { keys, characters } = fields;
    return String((typeof keys === 'number' ? keys : 0) + (typeof characters === 'number' ? characters : 0));
  }
  if (type === 'size') return `${String(fields['width'])} × ${String(fields['height'])}`;
  const { name, url, title, file, role, keys, outcome } = fields;
  const text = [title, file, url, keys, outcome, name ?? role].find(
    (each) => typeof each === 'string' && each !== '',
  );
  return typeof text === 'string' ? text : '';
}

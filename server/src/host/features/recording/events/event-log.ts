import type { InputEvent } from 'cloud-browser/protocol';
import type { Clock } from '../../../../platform/time/clock.js';
import { PacedValues } from '../../../../platform/time/paced-values.js';
import type { ClickedElement } from '../../../browser/pages/clicked-elements.js';
import type { PageGeometry } from '../../../browser/pages/pages.js';
import type { TabListener } from '../../../browser/pages/tab-watch.js';
import { RecordedEventQueue, type LaterFields, type RecordedEvent } from './event-queue.js';
import { InputLog } from './input-log.js';
import { TypedText } from './typed-text.js';

/**
 * Maximum number of concurrent lookups of clicked elements. Further clicks get no name. The page also answers
 * requests about masked fields, and the user's next click waits for those answers. So lookups must not keep
 * the page busy.
 */
const MAX_LOOKUPS = 2;
/** Rate limit for the titles of one tab. The last title of a tab is always written. */
const TITLE_PACE = { perSecond: 1, burst: 5 };
/** Types of events that get the name of the element at their position. */
const NAMED = new Set(['click', 'touch']);

/** Number of leading characters of a title and an address that are compared. Both may be cut at the end. */
const COMPARED = 500;

/** Receives the events as JSON. */
export interface EventOutput {
  /** Current time of the recording in milliseconds. */
  readonly time: number;
  event(json: string): void;
}

/** Names elements of pages, see `ClickedElements` of the browser. */
export interface ElementSource {
  elementAt(place: { x: number; y: number }, target?: string): Promise<ClickedElement | undefined>;
  placeOf(target: string): Promise<PageGeometry | undefined>;
  prepare(target: string): void;
}

/**
 * Writes the events of a session into its recording. Each event has the time `t` in seconds of the recording,
 * and a `type`. The events contain no query and no fragment of an address, and no text of a dialog, because
 * these may contain text that users typed. Names and titles that contain typed, pasted or set text are left
 * out.
 */
export class EventLog implements TabListener {
  /** Names clicked elements. Undefined while there is no browser. */
  elements: ElementSource | undefined;
  /** True while a user is in privacy mode. Then input and events about pages are not recorded. */
  #private = false;
  #page: string | undefined;
  #lookups = 0;
  readonly #typed = new TypedText();
  readonly #input: InputLog;
  readonly #queue: RecordedEventQueue;
  /** Addresses of tabs. */
  readonly #addresses = new Map<string, string>();
  /** Titles by tab. */
  readonly #titles: PacedValues<string, string>;

  constructor(
    private readonly output: EventOutput,
    clock: Clock,
  ) {
    this.#queue = new RecordedEventQueue(clock, (event, time) => this.#write(event, time));
    this.#input = new InputLog((event, time) => this.#located(event, time));
    const writeTitle = (tab: string, title: string) => {
      if (!this.#typed.isIn(title)) this.publicly({ type: 'title', tab, title });
    };
    this.#titles = new PacedValues(writeTitle, TITLE_PACE, clock);
  }

  /** Writes an event that is recorded also in privacy mode. */
  about(event: RecordedEvent): void {
    // The waiting titles are older than this event.
    this.#titles.flushAll();
    // The tabs of an ended browser do not come back. While a tab is open, its rate of titles continues.
    if (event.type === 'browser_ended') this.#titles.clear();
    this.#queue.add(event, this.output.time);
  }

  /**
   * Writes an event that is not recorded in privacy mode. If `fields` is given, the event waits for these
   * fields.
   */
  publicly(event: RecordedEvent, fields?: Promise<LaterFields>): void {
    if (!this.#private) this.#queue.add(event, this.output.time, fields);
  }

  setPrivate(user: string | undefined): void {
    if ((user !== undefined) === this.#private) return;
    // An element's name that arrives later could show content of privacy mode. So waiting events are written
    // without it.
    this.flush();
    this.#private = user !== undefined;
    this.about(user === undefined ? { type: 'privacy_ended' } : { type: 'privacy_started', user });
  }

  /**
   * Writes input of a user or an agent.
   *
   * @param page page in whose CSS pixels the positions are; undefined for pixels of the screen
   */
  input(user: string, event: InputEvent, page?: string): void {
    // After privacy mode has ended, a page may still show text that was typed during privacy mode. So this
    // text must be known too.
    this.#typed.add(user, event);
    if (this.#private) return;
    this.#page = page;
    this.#input.add(user, event, this.output.time);
  }

  /**
   * Remembers a text that a user has pasted or set. Names and titles that contain this text are not written.
   */
  entered(text: string): void {
    this.#typed.enter(text);
  }

  /** Writes the counts of keys and scrolls that are old enough. */
  tick(): void {
    this.#page = undefined;
    this.#input.flush(this.output.time);
  }

  /** Writes all that waits: counts, titles, and clicks whose element has no name yet. */
  flush(): void {
    this.flushCounts();
    this.#queue.flush();
  }

  /** Writes counts and titles. Events behind a click whose element has no name yet wait for this name. */
  flushCounts(): void {
    this.#input.end();
    this.#titles.flushAll();
  }

  /**
   * Writes the events that wait now also into another output, when they are complete. Resolves when all of
   * them are written.
   *
   * @param start start of the other output, in milliseconds of this recording
   */
  copyWaiting(output: Pick<EventOutput, 'event'>, start: number): Promise<void> {
    return this.#queue.copyWaiting((event, time) => output.event(jsonOf(event, Math.max(0, time - start))));
  }

  end(): void {
    this.flush();
    this.#titles.clear();
  }

  /** @param text text that a user has entered into the dialog */
  dialog(type: string | undefined, accepted?: boolean, text = ''): void {
    this.entered(text);
    if (type !== undefined) this.publicly({ type: 'dialog_opened', dialog: type });
    else this.publicly({ type: 'dialog_closed', ...(accepted !== undefined && { accepted }) });
  }

  onOpened(tab: string, opener?: string): void {
    this.publicly({ type: 'tab_opened', tab, ...(opener !== undefined && { opener }) });
  }

  onClosed(tab: string): void {
    this.#addresses.delete(tab);
    this.#titles.flush(tab);
    this.#titles.forget(tab);
    this.publicly({ type: 'tab_closed', tab });
  }

  onAddress(tab: string, url: string): void {
    this.#addresses.set(tab, url);
    this.#titles.flush(tab);
    this.elements?.prepare(tab);
    this.publicly({ type: 'navigation', tab, url: withoutQuery(url) });
  }

  onTitle(tab: string, title: string): void {
    // If a page has no title, Chromium reports its address with the query as the title.
    if (this.#private || isAddress(title, this.#addresses.get(tab))) return;
    // Typed text is searched only when a title is written, because the search takes time and a page can
    // change its title thousands of times a second.
    this.#titles.add(tab, () => title);
  }

  /**
   * Writes an event of input. If it has a position, adds the position on the screen and the clicked element.
   */
  #located(event: RecordedEvent, time: number): void {
    const page = this.#page;
    const { x, y, to_x: toX, to_y: toY, ...others } = event;
    if (typeof x !== 'number' || typeof y !== 'number') return this.#queue.add(event, time);
    const { elements } = this;
    const named =
      elements && NAMED.has(event.type) && this.#lookups < MAX_LOOKUPS
        ? this.#elementAt(elements, { x, y }, page)
        : undefined;
    if (page === undefined) return this.#queue.add(event, time, named);
    const places = elements?.placeOf(page).then((place) => {
      if (!place) return undefined;
      const across = (value: unknown) => Math.round(place.left + Number(value) * place.scale);
      const down = (value: unknown) => Math.round(place.top + Number(value) * place.scale);
      const end = toX === undefined ? undefined : { to_x: across(toX), to_y: down(toY) };
      return { x: across(x), y: down(y), ...end };
    });
    const fields = Promise.all([places, named]).then(([at, element]) => ({ ...at, ...element }));
    this.#queue.add(others, time, fields);
  }

  async #elementAt(
    elements: ElementSource,
    place: { x: number; y: number },
    page: string | undefined,
  ): Promise<LaterFields> {
    this.#lookups += 1;
    try {
      const { role, name } = (await elements.elementAt(place, page)) ?? {};
      if (role === undefined) return undefined;
      return { role, ...(name !== undefined && !this.#typed.isIn(name) && { name }) };
    } finally {
      this.#lookups -= 1;
    }
  }

  #write(event: RecordedEvent, time: number): void {
    this.output.event(jsonOf(event, time));
  }
}

/** Returns an event as JSON. Its time is in milliseconds. */
function jsonOf(event: RecordedEvent, time: number): string {
  return JSON.stringify({ t: Math.round(time) / 1000, ...event });
}

function withoutQuery(url: string): string {
  if (!URL.canParse(url)) return '';
  const { protocol, host, pathname } = new URL(url);
  // An address with another scheme, such as `data:`, may contain the content of the page.
  if (!/^(https?|file|chrome|about):$/.test(protocol)) return protocol;
  return protocol === 'about:' ? `${protocol}${pathname}` : `${protocol}//${host}${pathname}`;
}

/**
 * Returns true if a title is the page's address. Chromium shows an address with decoded characters, and
 * sometimes without the scheme.
 */
function isAddress(title: string, url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  const { protocol } = new URL(url);
  if (!/^https?:$/.test(protocol)) return url.includes(title);
  // If an address has letters that are written from right to left, Chromium adds an invisible character at
  // each end.
  const text = title.replace(/^\u202a|\u202c$/g, '');
  const shown = text.startsWith(`${protocol}//`) ? text : `${protocol}//${text}`;
  return URL.canParse(shown) && comparable(shown) === comparable(url);
}

/** Returns the decoded bytes of an address without its scheme, each as one character. */
function comparable(url: string): string {
  const { host, pathname, search, hash } = new URL(url);
  const decoded = `${host}${pathname}${search}${hash}`.replace(/%([\da-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  // The URL parser drops blanks at the end of a title. So they are dropped here from the address too.
  return decoded.slice(0, COMPARED).trimEnd();
}

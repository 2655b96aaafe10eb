import type { InputEvent, SessionEvent } from 'cloud-browser/protocol';
import type { TabListener } from '../../browser/pages/tab-watch.js';
import type { RecordedEvent } from './input-log.js';
import { InputLog } from './input-log.js';

/** Longest name of a file in an event. */
const MAX_NAME_CHARS = 255;

/** Receives the events as JSON. */
export interface EventOutput {
  /** Milliseconds of the recording. */
  readonly time: number;
  event(json: string): void;
}

/**
 * Writes the events of a session into its recording. Each has the time `t` in seconds of the recording, and a
 * `type`. Addresses have neither query nor fragment, and dialogs no text, because both may contain what users
 * typed.
 */
export class EventLog implements TabListener {
  /** True while a user is in privacy mode. Then only events about users are recorded. */
  #private = false;
  readonly #input: InputLog;
  /** Addresses of tabs. */
  readonly #addresses = new Map<string, string>();

  constructor(private readonly output: EventOutput) {
    this.#input = new InputLog((event, time) => this.#write(event, time));
  }

  /** Writes an event that is recorded also in privacy mode. */
  about(event: RecordedEvent): void {
    this.#write(event, this.output.time);
  }

  setPrivate(user: string | undefined): void {
    if ((user !== undefined) === this.#private) return;
    this.#input.end();
    this.#private = user !== undefined;
    this.about(user === undefined ? { type: 'privacy_ended' } : { type: 'privacy_started', user });
  }

  input(user: string, event: InputEvent): void {
    if (!this.#private) this.#input.add(user, event, this.output.time);
  }

  /** Writes counted input that is complete. */
  tick(): void {
    this.#input.flush(this.output.time);
  }

  end(): void {
    this.#input.end();
  }

  dialog(type: string | undefined): void {
    this.#public(type === undefined ? { type: 'dialog_closed' } : { type: 'dialog_opened', dialog: type });
  }

  /** Writes an event that the session publishes to its viewers, as far as it belongs into a recording. */
  published(name: SessionEvent, [first]: readonly unknown[]): void {
    if (name === 'files.onDownload') {
      const { id, name: file, state, size } = fieldsOf(first);
      // Progress is not an event.
      if (state !== 'running') this.#public({ type: 'download', id, file: cut(file), state, size });
    } else if (name === 'files.onChooser') this.#public({ type: 'file_chooser' });
  }

  onOpened(tab: string): void {
    this.#public({ type: 'tab_opened', tab });
  }

  onClosed(tab: string): void {
    this.#addresses.delete(tab);
    this.#public({ type: 'tab_closed', tab });
  }

  onAddress(tab: string, url: string): void {
    this.#addresses.set(tab, url);
    this.#public({ type: 'navigation', tab, url: withoutQuery(url) });
  }

  onTitle(tab: string, title: string): void {
    // A page without a title has its address as the title, with the query.
    if (!this.#addresses.get(tab)?.includes(title)) this.#public({ type: 'title', tab, title });
  }

  #public(event: RecordedEvent): void {
    if (!this.#private) this.about(event);
  }

  #write(event: RecordedEvent, time: number): void {
    this.output.event(JSON.stringify({ t: Math.round(time) / 1000, ...event }));
  }
}

function withoutQuery(url: string): string {
  if (!URL.canParse(url)) return '';
  const { protocol, host, pathname } = new URL(url);
  // The content of such an address is the page itself.
  if (!/^(https?|file|chrome|about):$/.test(protocol)) return protocol;
  return protocol === 'about:' ? `${protocol}${pathname}` : `${protocol}//${host}${pathname}`;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function cut(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_NAME_CHARS) : '';
}

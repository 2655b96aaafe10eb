import type { SessionRow } from '../../../src/api/index.js';
import { make, setText } from '../../dom.js';
import { startText } from '../../recordings/recording-words.js';
import type { PixelSize } from './picture-size.js';
import { nameOf, shortId, stateText, viewersText } from './session-words.js';

const WAITING = 'Waiting for the picture.';

/** Tile of one session: its picture and some facts. Its size does not depend on the picture. */
export class SessionTile {
  readonly element = make('li', 'tile');
  readonly #image = document.createElement('img');
  readonly #note = make('p', 'tile-note', WAITING);
  readonly #screen = make('div', 'tile-screen', this.#image, this.#note);
  readonly #viewers = make('p', 'tile-viewers');
  #session: SessionRow;
  #problem: string | undefined;
  #shown: { bytes: Uint8Array; url: string; at: Date } | undefined;
  #removed = false;
  /** Size of the remote screen. Undefined before the first picture. */
  screen: PixelSize | undefined;

  constructor(session: SessionRow) {
    this.#session = session;
    const { id, tag, tenant_id: tenant, creation_date: start } = session;
    this.element.dataset['session'] = id;
    // The list moves the focus here when the button below it vanishes.
    this.element.tabIndex = -1;
    this.#image.alt = `Screen of session ${nameOf(session)}`;
    this.#image.hidden = true;
    const name = make('h3', 'tile-name', nameOf(session));
    name.title = tag ?? id;
    const time = make('time', '', startText(start));
    time.setAttribute('datetime', start);
    const facts = make('dl', 'tile-facts', ...(tag === null ? [] : fact('Session', shortId(id), id)));
    if (tenant !== null) facts.append(...fact('Tenant', tenant));
    facts.append(...fact('Started', time));
    this.element.append(this.#screen, make('div', 'tile-head', name, this.#viewers), facts);
    this.update(session);
  }

  get session(): SessionRow {
    return this.#session;
  }

  /** Shows the newest state of the session. */
  update(session: SessionRow): void {
    this.#session = session;
    setText(this.#viewers, viewersText(session.viewers));
    this.#showNote();
  }

  /**
   * Shows a picture. Resolves to its size, and to true if it differs from the previous one. Rejects if the
   * blob is not a picture.
   */
  async show(blob: Blob): Promise<{ size: PixelSize; changed: boolean }> {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    const changed = !this.#shown || !areEqual(bytes, this.#shown.bytes);
    if (changed) await this.#replace(blob, bytes);
    else if (this.#shown) this.#shown.at = new Date();
    this.#problem = undefined;
    this.#showNote();
    return { size: { width: this.#image.naturalWidth, height: this.#image.naturalHeight }, changed };
  }

  /** Shows why there is no new picture. The previous one stays. */
  fail(sentence: string): void {
    this.#problem = sentence;
    this.#showNote();
  }

  /** Removes the picture, and shows why. */
  hide(sentence: string): void {
    this.#release();
    this.#image.hidden = true;
    this.#image.removeAttribute('src');
    this.fail(sentence);
  }

  /** Removes the tile. */
  remove(): void {
    this.#removed = true;
    this.#release();
    this.element.remove();
  }

  async #replace(blob: Blob, bytes: Uint8Array): Promise<void> {
    const url = URL.createObjectURL(blob);
    // Decodes the picture before it is shown, so that the tile is never empty.
    const next = new Image();
    next.src = url;
    try {
      await next.decode();
      this.#image.src = url;
      await this.#image.decode();
    } catch (error) {
      URL.revokeObjectURL(url);
      throw error;
    }
    this.#release();
    if (this.#removed) {
      URL.revokeObjectURL(url);
      return;
    }
    this.#shown = { bytes, url, at: new Date() };
    this.#image.hidden = false;
  }

  #release(): void {
    if (this.#shown) URL.revokeObjectURL(this.#shown.url);
    this.#shown = undefined;
  }

  #showNote(): void {
    const { at } = this.#shown ?? {};
    const state = stateText(this.#session);
    const age = at && !state && `The picture is from ${at.toLocaleTimeString([], { timeStyle: 'medium' })}.`;
    const note = state ?? (this.#problem && [this.#problem, age].filter(Boolean).join(' '));
    setText(this.#note, note ?? WAITING);
    this.#note.hidden = note === undefined && at !== undefined;
    this.#screen.classList.toggle('outdated', !this.#note.hidden && at !== undefined);
  }
}

function fact(label: string, value: string | HTMLElement, title?: string): HTMLElement[] {
  const text = make('dd', '', value);
  text.title = title ?? text.textContent;
  return [make('div', 'tile-fact', make('dt', '', label), text)];
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

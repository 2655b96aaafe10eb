import { randomUUID } from 'node:crypto';
import type { FieldMask } from '../../../host-protocol.js';
import { systemClock, type Clock } from '../../../platform/time/clock.js';
import { withTimeout } from '../../../platform/time/timeout.js';
import { urlPattern } from '../../../platform/network/url-glob.js';
import type { CdpSession } from '../cdp/cdp-session.js';
import type { Preparation } from '../cdp/targets.js';
import { openClosedTree } from './closed-trees.js';
import { covers } from './covers-field.js';
import { frameUnder } from './frame-under.js';
import { readFocus, readLook, type FocusedField, type Look, type Place } from './focused-field.js';
import { FrameScripts } from './frame-scripts.js';
import { frameScript, readFrameScript } from './frame-script.js';
import type { FrameWorld } from './frame-world.js';
import { MaskGate } from './mask-gate.js';
import { maskedAreas, type MaskedArea, type PagePlace } from './masked-areas.js';
import { parseJson } from '../../../platform/parse-json.js';

/**
 * Timeout for an answer about the focus or a mask. After this time, the result is `unknown`. The input of all
 * users waits for the answer. Milliseconds.
 */
export const KNOWN_WITHIN_MS = 100;
/** Name of the script's isolated world in the browser. */
const WORLD = 'session-focus';
/**
 * Maximum number of attempts to get an answer. The focus may move during an attempt, and each attempt opens
 * only one level of nested shadow trees.
 */
const ROUNDS = 6;
const ANYWHERE: PagePlace = { left: 0, top: 0, scale: 1 };

/** Owner of the keyboard focus: a field, a part of the browser itself (`undefined`), or `unknown`. */
export type Focus = FocusedField | undefined | 'unknown';

/** Answer of a frame. */
interface Said<T> {
  frame: FrameWorld;
  said: T;
}

/**
 * Tracks the focused element in the browser and the masked elements. A script runs in an isolated world in
 * every page and frame, and starts before the page's own scripts. In sessions that mask fields, each browser
 * has one instance.
 */
export class FocusWatch implements Preparation {
  readonly workers = false;
  /** Called when another field gets the focus, or when no field has it any more. */
  onFocus: ((field: FocusedField) => void) | undefined;
  /**
   * Called when the script of a frame has refused an input event for a masked field. `press` is true if the
   * event was a press. A refused press does not move the focus.
   */
  onRefused: ((press: boolean) => void) | undefined;
  /** Pixels of the display for one CSS pixel of a page that is not zoomed. */
  pixelRatio = 1;
  readonly gate: MaskGate;
  readonly #book: FrameScripts;
  readonly #invalid = new Set<string>();
  #onInvalid: ((selector: string) => void) | undefined;
  #closed = false;

  /** @param script the source of `focus/frame.ts` */
  constructor(script: string, masks: readonly FieldMask[], clock: Clock = systemClock) {
    const names = { guard: randomUUID(), tell: randomUUID() };
    const source = frameScript(script, { does: 'keeps-masks', ...names, masks: masks.map(maskOf) });
    this.#book = new FrameScripts(
      { ...names, source, world: WORLD },
      (frame) => void this.#met(frame),
      (frame, payload) => this.#told(frame, parseJson(payload)),
    );
    this.gate = new MaskGate(() => this.#book.frames(), clock, KNOWN_WITHIN_MS);
  }

  /**
   * Creates an instance with the built script.
   *
   * @param scripts the directory of the scripts that run inside browsers
   */
  static async open(scripts: string, masks: readonly FieldMask[]): Promise<FocusWatch> {
    return new FocusWatch(await readFrameScript(scripts), masks);
  }

  /**
   * Called once for each invalid selector, also for those found before this listener was set. If a selector
   * is invalid, all fields are masked on the pages to which it applies.
   */
  set onInvalid(listener: (selector: string) => void) {
    this.#onInvalid = listener;
    for (const selector of this.#invalid) listener(selector);
  }

  apply(session: CdpSession, type: string): Promise<void> {
    if (!this.#closed && (type === 'page' || type === 'iframe')) this.#book.follow(session, type);
    return Promise.resolve();
  }

  /** Returns the owner of the keyboard focus. */
  focus(): Promise<Focus> {
    return this.#inRounds(() => this.#askFocus());
  }

  /**
   * Resolves to true if a masked element is at this position on the screen, also inside frames. Resolves to
   * `unknown` if a frame does not answer.
   */
  isMaskedAt(x: number, y: number): Promise<boolean | 'unknown'> {
    return this.#inRounds(() => this.#look(x, y));
  }

  /**
   * Resolves to true if a visible page is at this position on the screen, and false if only the browser's own
   * interface is there.
   */
  isPageAt(x: number, y: number): Promise<boolean | 'unknown'> {
    return this.#inRounds(async () => {
      const pages = this.#book.frames().filter(({ top, field }) => top && field?.visible !== false);
      const answers = await this.#ask(pages, lookCall(x, y, this.pixelRatio), readLook);
      return answers === 'unknown' ? answers : answers.some(({ said }) => said.within);
    });
  }

  /** Resolves to true if a visible page has a masked element with content. */
  async hasContent(): Promise<boolean | 'unknown'> {
    if (!(await this.#book.complete(KNOWN_WITHIN_MS))) return 'unknown';
    // Only the number of areas matters here, so their place on the screen may be anywhere.
    const areas = await maskedAreas(this.#book, () => Promise.resolve(ANYWHERE), false, true);
    return areas === 'unknown' ? areas : areas.length > 0;
  }

  /**
   * True if a field of a frame is masked. A field that cannot be checked counts as masked.
   *
   * @param node the field's node id in the browser
   */
  async isMaskedField(session: CdpSession, frameId: string, node: number): Promise<boolean> {
    const frame = this.#book.frame(session, frameId);
    return !frame || covers(frame, node).catch(() => true);
  }

  /**
   * Returns the areas of the screen that show masked elements. Resolves to `unknown` if a visible page does
   * not answer.
   *
   * @param placeOf returns the place of a page on the screen
   * @param passwords true to include all password fields
   */
  async areas(
    placeOf: (page: CdpSession) => Promise<PagePlace>,
    passwords = false,
  ): Promise<MaskedArea[] | 'unknown'> {
    if (!(await this.#book.complete(KNOWN_WITHIN_MS))) return 'unknown';
    return maskedAreas(this.#book, placeOf, passwords);
  }

  /**
   * Stops following frames. Their scripts keep running and keep protecting masked fields. The listeners are
   * not called any more.
   */
  close(): void {
    this.#closed = true;
    this.#book.close();
  }

  async #inRounds<T>(ask: () => Promise<T | 'again'>): Promise<Exclude<T, 'again'> | 'unknown'> {
    for (let round = 0; round < ROUNDS; round++) {
      if (!(await this.#book.complete(KNOWN_WITHIN_MS))) return 'unknown';
      const answer = await ask();
      if (answer !== 'again') return answer as Exclude<T, 'again'>;
    }
    return 'unknown';
  }

  async #askFocus(): Promise<Focus | 'again'> {
    const frames = this.#likely();
    const answers = await this.#ask(frames, 'focus()', readFocus);
    if (answers === 'unknown') return 'unknown';
    const focused = answers.filter(({ said }) => said.focused);
    const hidden = focused.filter(({ said }) => said.hidden);
    if (hidden.length > 0) return this.#openTrees(hidden);
    const inmost = focused.find(({ said }) => said.kind !== 'frame');
    if (inmost) return { ...inmost.said, masked: focused.some(({ said }) => said.masked) };
    // Another frame may have reported the focus meanwhile.
    if (this.#likely().some((frame) => !frames.includes(frame))) return 'again';
    return focused[0]?.said;
  }

  async #look(x: number, y: number): Promise<boolean | 'unknown' | 'again'> {
    const frames = this.#likely().filter(({ top }) => top);
    const answers = await this.#ask(frames, lookCall(x, y, this.pixelRatio), readLook);
    return this.#under(answers);
  }

  /**
   * Evaluates the frames' answers about one position. If an inner frame is at this position, asks that frame
   * too.
   */
  async #under(answers: readonly Said<Look>[] | 'unknown'): Promise<boolean | 'unknown' | 'again'> {
    if (answers === 'unknown') return 'unknown';
    const hiding = answers.filter(({ said }) => said.hides || said.hidden);
    if (hiding.length > 0) return this.#openTrees(hiding);
    if (answers.some(({ said }) => said.under)) return true;
    const outer = answers.find(({ said }) => said.inside);
    return outer?.said.inside ? this.#lookInside(outer.frame, outer.said.inside) : false;
  }

  async #lookInside(outer: FrameWorld, [x, y]: Place): Promise<boolean | 'unknown' | 'again'> {
    const id = await withTimeout(frameUnder(outer), KNOWN_WITHIN_MS, () => 'late' as const);
    if (id === 'late') return 'unknown';
    // Documents without this script, such as those of plug-ins, have no masked elements.
    const frames = id === undefined ? [] : this.#book.framesOf(id);
    return this.#under(await this.#ask(frames, `lookInside(${x}, ${y})`, readLook));
  }

  /**
   * Returns the frames that had the keyboard focus in their last answer. If there are none, returns all pages
   * that are visible or have not answered yet.
   */
  #likely(): FrameWorld[] {
    const frames = this.#book.frames();
    const focused = frames.filter(({ field }) => field?.focused);
    return focused.length > 0 ? focused : frames.filter(({ top, field }) => top && field?.visible !== false);
  }

  async #ask<T extends FocusedField>(
    frames: readonly FrameWorld[],
    call: string,
    read: (value: unknown) => T | undefined,
  ): Promise<Said<T>[] | 'unknown'> {
    const asked = frames.map(async (frame) => ({ frame, answer: await frame.ask(call, KNOWN_WITHIN_MS) }));
    const all: Said<T>[] = [];
    for (const { frame, answer } of await Promise.all(asked)) {
      if (answer === 'gone') this.#book.lost(frame);
      // Skips a frame that is gone, and a frame whose page has a dialog open. Neither accepts input. In
      // addition, the script in each frame protects the fields without the host.
      if (answer === 'gone' || answer === 'dialog') continue;
      const said = answer === 'silent' ? undefined : read(answer.value);
      if (!said) return 'unknown';
      this.#note(frame, said);
      all.push({ frame, said });
    }
    return all;
  }

  async #openTrees(hiding: readonly Said<unknown>[]): Promise<'again' | 'unknown'> {
    const opened = hiding.map(({ frame }) => {
      const done = openClosedTree(frame).then(
        () => true,
        () => false,
      );
      return withTimeout(done, KNOWN_WITHIN_MS, () => false);
    });
    return (await Promise.all(opened)).every(Boolean) ? 'again' : 'unknown';
  }

  async #met(frame: FrameWorld): Promise<void> {
    this.gate.greet(frame);
    await this.#ask([frame], 'focus()', readFocus);
  }

  #told(frame: FrameWorld, message: unknown): void {
    if (this.#closed || typeof message !== 'object' || message === null) return;
    const said: { type?: unknown; focus?: unknown; press?: unknown } = message;
    const { type, focus, press } = said;
    if (type === 'focus') {
      const field = readFocus(focus);
      this.#note(frame, field);
      if (field?.focused) this.onFocus?.(field);
    }
    if (type === 'refused') this.onRefused?.(press === true);
    // Until the host has opened this closed shadow tree, the script refuses input for all elements in it,
    // except from users with the role `field_masking`.
    if (type === 'hidden') void openClosedTree(frame).catch(() => undefined);
  }

  /**
   * Remembers the last answer of a frame. An invalid selector is part of each answer, because the host does
   * not receive messages that a frame sends before the host knows the frame.
   */
  #note(frame: FrameWorld, field: FocusedField | undefined): void {
    frame.field = field;
    const selector = field?.invalid;
    if (selector === undefined || this.#invalid.has(selector)) return;
    this.#invalid.add(selector);
    this.#onInvalid?.(selector);
  }
}

function lookCall(x: number, y: number, pixelRatio: number): string {
  return `look(${Math.round(x)}, ${Math.round(y)}, ${pixelRatio})`;
}

function maskOf({ matches, selectors }: FieldMask) {
  // A pattern that is no valid glob applies to every URL.
  return { selectors, addresses: matches.map((glob) => urlPattern(glob) ?? { whole: '^', site: '^' }) };
}

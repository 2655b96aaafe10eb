import { randomUUID } from 'node:crypto';
import type { FieldMask } from '../../../host-protocol.js';
import { systemClock, type Clock } from '../../../platform/clock.js';
import { inTime } from '../../../platform/in-time.js';
import { urlPattern } from '../../../platform/url-glob.js';
import { parseJson } from '../cdp/cdp-message.js';
import type { CdpSession } from '../cdp/cdp-session.js';
import type { Preparation } from '../cdp/targets.js';
import { openClosedTree } from './closed-trees.js';
import { readFocus, readLook, type FocusedField } from './focused-field.js';
import { FrameBook } from './frame-book.js';
import { frameScript, readFrameScript } from './frame-script.js';
import type { FrameWorld } from './frame-world.js';
import { MaskGate } from './mask-gate.js';

/** What cannot be known within this is not known: all users' input waits meanwhile. Milliseconds. */
export const KNOWN_WITHIN_MS = 100;
/** The name of the script's world in the browser. */
const WORLD = 'session-focus';
/** Focus may be handed on while it is asked for, and trees may be in each other. */
const ROUNDS = 6;

/** What has the keyboard: a field, or a part of the browser itself (`undefined`), or nobody can tell. */
export type Focus = FocusedField | undefined | 'unknown';

/** What a frame said. */
interface Said<T> {
  frame: FrameWorld;
  said: T;
}

/**
 * Knows what has the focus in the browser, and what is masked: by a script in a world of its own in every page and frame, from before
 * their first scripts on. One for each browser; started only for sessions that need it.
 */
export class FocusWatch implements Preparation {
  readonly workers = false;
  /** Told when another field has the focus, or none. */
  onFocus: ((field: FocusedField) => void) | undefined;
  /** Told when a frame has refused what somebody did to a masked field. */
  onRefused: (() => void) | undefined;
  /** Pixels of the display for one CSS pixel of a page that is not zoomed. */
  pixelRatio = 1;
  readonly gate: MaskGate;
  readonly #book: FrameBook;
  readonly #invalid = new Set<string>();
  #onInvalid: ((selector: string) => void) | undefined;
  #closed = false;

  /** @param script the source of `focus/frame.ts` */
  constructor(script: string, masks: readonly FieldMask[], clock: Clock = systemClock) {
    const names = { guard: randomUUID(), tell: randomUUID() };
    const source = frameScript(script, { does: 'keeps-masks', ...names, masks: masks.map(maskOf) });
    this.#book = new FrameBook(
      { ...names, source, world: WORLD },
      (frame) => void this.#met(frame),
      (frame, payload) => this.#told(frame, parseJson(payload)),
    );
    this.gate = new MaskGate(() => this.#book.frames(), clock, KNOWN_WITHIN_MS);
  }

  /** @param scripts the directory with what runs inside browsers */
  static async open(scripts: string, masks: readonly FieldMask[]): Promise<FocusWatch> {
    return new FocusWatch(await readFrameScript(scripts), masks);
  }

  /** Told once of each selector that the browser does not take, also of those before; everything is masked then on its pages. */
  set onInvalid(listener: (selector: string) => void) {
    this.#onInvalid = listener;
    for (const selector of this.#invalid) listener(selector);
  }

  apply(session: CdpSession, type: string): Promise<void> {
    if (!this.#closed && (type === 'page' || type === 'iframe')) this.#book.follow(session, type);
    return Promise.resolve();
  }

  /** What has the keyboard. */
  focus(): Promise<Focus> {
    return this.#inRounds(() => this.#askFocus());
  }

  /** Whether something masked is at this place of the screen; `unknown` when nobody can tell. */
  isMaskedAt(x: number, y: number): Promise<boolean | 'unknown'> {
    return this.#inRounds(() => this.#look(Math.round(x), Math.round(y)));
  }

  /** Whether a field of a frame is masked; one that cannot be asked about is. @param node as the browser numbers it */
  async isMaskedField(session: CdpSession, frameId: string, node: number): Promise<boolean> {
    const frame = this.#book.frame(session, frameId);
    return !frame || covers(frame, node).catch(() => true);
  }

  /** Frames go on by themselves, closed; nothing is told any more. */
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
    // What has the focus may have said so only after the others were asked.
    if (this.#likely().some((frame) => !frames.includes(frame))) return 'again';
    return focused[0]?.said;
  }

  async #look(x: number, y: number): Promise<boolean | 'unknown' | 'again'> {
    const frames = this.#likely().filter(({ top }) => top);
    const answers = await this.#ask(frames, `look(${x}, ${y}, ${this.pixelRatio})`, readLook);
    if (answers === 'unknown') return 'unknown';
    const hiding = answers.filter(({ said }) => said.hides || said.hidden);
    if (hiding.length > 0) return this.#openTrees(hiding);
    return answers.some(({ said }) => said.under);
  }

  /** Frames that had the keyboard when they said something last, or else the pages that can be seen. */
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
      // Its page takes nothing before the dialog is closed; frames guard themselves besides.
      if (answer === 'gone' || answer === 'dialog') continue;
      const said = answer === 'silent' ? undefined : read(answer.value);
      if (!said) return 'unknown';
      frame.field = said;
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
      return inTime(done, KNOWN_WITHIN_MS, () => false);
    });
    return (await Promise.all(opened)).every(Boolean) ? 'again' : 'unknown';
  }

  async #met(frame: FrameWorld): Promise<void> {
    this.gate.greet(frame);
    await this.#ask([frame], 'focus()', readFocus);
  }

  #told(frame: FrameWorld, message: unknown): void {
    if (this.#closed || typeof message !== 'object' || message === null) return;
    const { type, focus, selector }: { type?: unknown; focus?: unknown; selector?: unknown } = message;
    if (type === 'focus') {
      frame.field = readFocus(focus);
      if (frame.field?.focused) this.onFocus?.(frame.field);
    }
    if (type === 'refused') this.onRefused?.();
    // Until its tree is open, nothing inside takes input of those who may not write.
    if (type === 'hidden') void openClosedTree(frame).catch(() => undefined);
    if (type === 'invalid' && typeof selector === 'string' && !this.#invalid.has(selector)) {
      this.#invalid.add(selector);
      this.#onInvalid?.(selector);
    }
  }
}

async function covers({ session, context, guard }: FrameWorld, backendNodeId: number): Promise<boolean> {
  const { object } = await session.send('DOM.resolveNode', { backendNodeId, executionContextId: context });
  if (object.objectId === undefined) return true;
  const { result } = await session.send('Runtime.callFunctionOn', {
    objectId: object.objectId,
    functionDeclaration: 'function (guard) { return globalThis[guard].covers(this); }',
    arguments: [{ value: guard }],
    returnByValue: true,
  });
  return result.value !== false;
}

function maskOf({ matches, selectors }: FieldMask) {
  // What is no glob after all is meant for every address.
  return { selectors, addresses: matches.map((glob) => urlPattern(glob) ?? { whole: '^', site: '^' }) };
}

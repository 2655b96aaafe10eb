import { randomUUID } from 'node:crypto';
import { systemClock, type Clock, type Timer } from '../../../platform/clock.js';
import { PacedTask } from '../../../platform/paced-task.js';
import { parseJson } from '../cdp/cdp-message.js';
import type { CdpSession } from '../cdp/cdp-session.js';
import { openClosedTree } from './closed-trees.js';
import { MAX_REPORT_CHARS, readReport, type FieldReport } from './field-report.js';
import { FrameBook } from './frame-book.js';
import { frameScript } from './frame-script.js';
import type { FrameWorld } from './frame-world.js';

/** The name of the script's world in the browser. */
const WORLD = 'session-fields';
/** A new frame is asked once what it has; what it does not answer by then it tells by itself later. Milliseconds. */
const FIRST_REPORT_MS = 1_000;
/** However often pages move their focus: so often it is told. */
const PACE = { perSecond: 20, burst: 2 };
/** Who wants to know may be gone for a moment, and putting the script into all frames is work. Milliseconds. */
const LINGER_MS = 30_000;

/** What has the keyboard, from the page inwards: the page itself, frames, and the frame with the element that has it. */
export interface FocusPath {
  page: CdpSession;
  /** Outermost first; the element is the last one's. */
  reports: readonly FieldReport[];
  /** Another number when another element has the keyboard. */
  id: number;
}

/** What is known of the focus in all pages. */
export interface FocusState {
  path: FocusPath | undefined;
  /** The page that was seen last, whether or not it has the keyboard. */
  seen: { page: CdpSession; report: FieldReport } | undefined;
}

/** What a frame told last. */
interface Told {
  report: FieldReport;
  /** Larger for what was told later. */
  order: number;
}

/**
 * Knows which field has the focus in the browser, and where it is: by a script in a world of its own in every page and frame. Runs
 * only while somebody wants to know, and costs nothing before. Frames tell by themselves: nobody is waited for.
 */
export class FieldWatch {
  /** Told when something may have changed. */
  onChange: (() => void) | undefined;
  readonly #targets = new Map<CdpSession, string>();
  readonly #told = new Map<FrameWorld, Told>();
  readonly #opening = new Set<FrameWorld>();
  readonly #pace: PacedTask;
  #book: FrameBook | undefined;
  #wanted = false;
  #lingering: Timer | undefined;
  #orders = 0;
  #id = 0;
  #inmost: { frame: FrameWorld; turn: number } | undefined;
  #closed = false;

  /** @param script reads the source of `focus/frame.ts` */
  constructor(
    private readonly script: () => Promise<string>,
    private readonly clock: Clock = systemClock,
  ) {
    this.#pace = new PacedTask(() => this.onChange?.(), PACE, clock);
  }

  /** Takes note of a page, or of a frame of another process. */
  follow(session: CdpSession, type: string): void {
    if (this.#closed || (type !== 'page' && type !== 'iframe')) return;
    this.#targets.set(session, type);
    void session.ended.then(() => {
      this.#targets.delete(session);
      this.#changed();
    });
    this.#book?.follow(session, type);
  }

  /** Whether anybody wants to know. Rejects when the script cannot be read. */
  async want(wanted: boolean): Promise<void> {
    if (wanted === this.#wanted || this.#closed) return;
    this.#wanted = wanted;
    this.#lingering?.cancel();
    if (!wanted) this.#lingering = this.clock.setTimeout(() => this.#stop(), LINGER_MS);
    else if (!this.#book) await this.#start();
  }

  /** What has the keyboard now, as far as frames have told. */
  state(): FocusState {
    const known = this.#known();
    const tops = known.filter(([, { report }]) => report.depth === 0);
    const [top] = tops.filter(([, { report }]) => report.focused);
    const seen = tops.find(([, { report }]) => report.visible);
    return {
      path: top && this.#path(top, known),
      seen: seen && { page: seen[0].session, report: seen[1].report },
    };
  }

  close(): void {
    this.#closed = true;
    this.#lingering?.cancel();
    this.#pace.close();
    this.#stop();
    this.#targets.clear();
  }

  async #start(): Promise<void> {
    const names = { guard: randomUUID(), tell: randomUUID() };
    const source = frameScript(await this.script(), { does: 'tells-fields', ...names, masks: [] });
    if (this.#book || !this.#wanted || this.#closed) return;
    const book = new FrameBook(
      { ...names, source, world: WORLD },
      (frame) => void this.#met(frame),
      (frame, payload) => this.#heard(frame, payload),
    );
    this.#book = book;
    for (const [session, type] of this.#targets) book.follow(session, type);
  }

  #stop(): void {
    const frames = this.#book?.frames() ?? [];
    this.#book?.close();
    this.#book = undefined;
    this.#told.clear();
    this.#opening.clear();
    this.#inmost = undefined;
    for (const frame of frames) void frame.order('stop()', FIRST_REPORT_MS);
  }

  /** Newest first; frames that are gone are forgotten. */
  #known(): [FrameWorld, Told][] {
    const all = this.#book?.frames() ?? [];
    const frames = new Set(all.filter(({ session }) => this.#targets.has(session)));
    for (const frame of this.#told.keys()) if (!frames.has(frame)) this.#told.delete(frame);
    return [...this.#told].sort(([, one], [, other]) => other.order - one.order);
  }

  #path(top: [FrameWorld, Told], known: readonly [FrameWorld, Told][]): FocusPath | undefined {
    let [frame, { report }] = top;
    const reports = [report];
    while (report.kind === 'frame') {
      const depth = report.depth + 1;
      const inner = known.find(([, told]) => told.report.focused && told.report.depth === depth);
      // It has not told yet.
      if (!inner) return undefined;
      [frame, { report }] = inner;
      reports.push(report);
    }
    if (this.#inmost?.frame !== frame || this.#inmost.turn !== report.turn) this.#id += 1;
    this.#inmost = { frame, turn: report.turn };
    return { page: top[0].session, reports, id: this.#id };
  }

  async #met(frame: FrameWorld): Promise<void> {
    const answer = await frame.ask('report()', FIRST_REPORT_MS);
    if (typeof answer === 'object' && !this.#told.has(frame)) this.#take(frame, answer.value);
  }

  #heard(frame: FrameWorld, payload: string): void {
    if (payload.length > MAX_REPORT_CHARS) return;
    const message = parseJson(payload);
    if (typeof message !== 'object' || message === null) return;
    const { type, field }: { type?: unknown; field?: unknown } = message;
    if (type === 'field') this.#take(frame, field);
    if (type === 'hidden') void this.#openTree(frame);
  }

  #take(frame: FrameWorld, value: unknown): void {
    const report = readReport(value);
    if (!report || !this.#book) return;
    this.#told.set(frame, { report, order: ++this.#orders });
    this.#changed();
  }

  /** One at a time for each frame: the script asks again for what it has not got. */
  async #openTree(frame: FrameWorld): Promise<void> {
    if (this.#opening.has(frame)) return;
    this.#opening.add(frame);
    // Without it there is no caret to be known, or a field in a closed tree is none.
    await openClosedTree(frame, ['closed', 'user-agent']).catch(() => undefined);
    this.#opening.delete(frame);
  }

  #changed(): void {
    if (this.#book && !this.#closed) this.#pace.ask();
  }
}

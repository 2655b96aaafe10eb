import { randomUUID } from 'node:crypto';
import { systemClock, type Clock, type Timer } from '../../../platform/time/clock.js';
import { PacedTask } from '../../../platform/time/paced-task.js';
import type { CdpSession } from '../cdp/cdp-session.js';
import { openClosedTree } from './closed-trees.js';
import { MAX_REPORT_CHARS, readReport, type FieldReport } from './field-report.js';
import { FrameScripts } from './frame-scripts.js';
import { frameScript } from './frame-script.js';
import type { FrameWorld } from './frame-world.js';
import { parseJson } from '../../../platform/parse-json.js';

/** Name of the script's isolated world in the browser. */
const WORLD = 'session-fields';
/**
 * Timeout for the first report of a new frame. After the timeout, the frame's script reports later on its
 * own. Milliseconds.
 */
const FIRST_REPORT_MS = 1_000;
/** Maximum rate of reports. Pages may move their focus more often. */
const PACE = { perSecond: 20, burst: 2 };
/**
 * Time that the scripts stay after the last subscriber left. A subscriber may come back soon, and adding the
 * scripts to all frames is expensive. Milliseconds.
 */
const LINGER_MS = 30_000;

/** Path to the focused element: the page, the frames inside it, and the frame with the element. */
export interface FocusPath {
  page: CdpSession;
  /** Reports, outermost first. The element is in the last one. */
  reports: readonly FieldReport[];
  /** Changes when another element gets the keyboard focus. */
  id: number;
}

/** Focus in all pages, as reported by the frames. */
export interface FocusState {
  path: FocusPath | undefined;
  /**
   * The visible page, with or without the keyboard focus. If several pages are visible, the page that
   * reported last.
   */
  seen: { page: CdpSession; report: FieldReport } | undefined;
}

/** Last report of a frame. */
interface Told {
  report: FieldReport;
  /** Increases with each report. */
  order: number;
}

/**
 * Tracks the focused field in the browser and its position. A script runs in an isolated world in every page
 * and frame. It runs only while a subscriber needs it. After the first report, frames send reports on their
 * own, so no code waits for them.
 */
export class FieldWatch {
  /** Called when the focus may have changed. */
  onChange: (() => void) | undefined;
  readonly #targets = new Map<CdpSession, string>();
  readonly #told = new Map<FrameWorld, Told>();
  readonly #opening = new Set<FrameWorld>();
  readonly #pace: PacedTask;
  #book: FrameScripts | undefined;
  #wanted = false;
  /** Settles when the current start of the scripts has ended. Undefined while no start is in progress. */
  #starting: Promise<void> | undefined;
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

  /** Follows a page, or a frame that has its own process. */
  follow(session: CdpSession, type: string): void {
    if (this.#closed || (type !== 'page' && type !== 'iframe')) return;
    this.#targets.set(session, type);
    void session.ended.then(() => {
      this.#targets.delete(session);
      this.#changed();
    });
    this.#book?.follow(session, type);
  }

  /**
   * Starts or stops the scripts. Rejects if the script cannot be read. The next call then tries again.
   *
   * @param wanted true if a subscriber needs the focus
   */
  async want(wanted: boolean): Promise<void> {
    if (this.#closed) return;
    if (wanted !== this.#wanted) {
      this.#wanted = wanted;
      this.#lingering?.cancel();
      if (!wanted) this.#lingering = this.clock.setTimeout(() => this.#stop(), LINGER_MS);
    }
    if (!wanted || this.#book) return;
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    await this.#starting;
  }

  /** Returns the current keyboard focus, as reported by the frames. */
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
    const book = new FrameScripts(
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

  /** Returns the reports, newest first. Forgets frames that are gone. */
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
      // The inner frame has not reported yet.
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

  /**
   * Opens a closed shadow tree, one at a time for each frame. The script repeats requests for trees that it
   * did not receive.
   */
  async #openTree(frame: FrameWorld): Promise<void> {
    if (this.#opening.has(frame)) return;
    this.#opening.add(frame);
    // If this fails, the caret's position stays unknown, or a field in a closed tree is not detected.
    await openClosedTree(frame, ['closed', 'user-agent']).catch(() => undefined);
    this.#opening.delete(frame);
  }

  #changed(): void {
    if (this.#book && !this.#closed) this.#pace.ask();
  }
}

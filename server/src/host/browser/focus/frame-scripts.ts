import type { Protocol } from 'devtools-protocol';
import { withTimeout } from '../../../platform/time/timeout.js';
import { CdpError, type CdpSession } from '../cdp/cdp-session.js';
import { FrameWorld } from './frame-world.js';

type FrameTree = Protocol.Page.FrameTree;

/** The script, and the names through which the host and the script call each other. */
export interface Script {
  /** Source to evaluate. A second evaluation in the same isolated world does nothing. */
  source: string;
  /** Global name of the object that the host calls. */
  guard: string;
  /** Global name of the function that the script calls. */
  tell: string;
  /** Name of the script's isolated world in the browser. */
  world: string;
}

/**
 * Timeout for the first answer of a frame. With a slow server or a busy machine, a frame may wait this long
 * for its first document.
 */
const FIRST_ANSWER_TIMEOUT_MS = 600_000;
/** A frame that is being prepared. */
interface Meeting {
  met: Promise<void>;
  /** True if a caller has waited for this frame until a timeout. */
  overdue: boolean;
}

/**
 * Adds the script to all frames, so that it runs before each frame's own scripts. Keeps a list of the
 * existing frames. Does not enable the domain `Runtime`, because a page can detect that. Therefore the
 * browser sends no event for a new isolated world. Instead, this class requests the isolated world of each
 * new document.
 */
export class FrameScripts {
  readonly #frames = new Map<string, FrameWorld>();
  readonly #meetings = new Map<string, Meeting>();
  /**
   * Pages that may run without the script. While there is such a page, {@link complete} resolves to false.
   */
  readonly #unguarded = new Set<CdpSession>();
  /** Functions that stop following a page or an out-of-process frame. */
  readonly #leaving = new Map<CdpSession, () => void>();
  #closed = false;

  /**
   * @param onMet called with a frame when the host can call its script
   * @param onTold called with the messages of a frame's script
   */
  constructor(
    private readonly script: Script,
    private readonly onMet: (frame: FrameWorld) => void,
    private readonly onTold: (frame: FrameWorld, payload: string) => void,
  ) {}

  frames(): FrameWorld[] {
    return [...this.#frames.values()];
  }

  /** Returns a frame by its id in the browser, if the host can call its script. */
  frame(session: CdpSession, id: string): FrameWorld | undefined {
    return this.#frames.get(keyOf(session, id));
  }

  /**
   * Returns the frames with this id in the browser. There may be more than one for a moment while the frame
   * moves to another process.
   */
  framesOf(id: string): FrameWorld[] {
    return [...this.#frames].filter(([key]) => key.endsWith(` ${id}`)).map(([, frame]) => frame);
  }

  /**
   * Resolves to true if the host can call the scripts of all frames. After a timeout, later calls do not wait
   * for the same frames again.
   */
  async complete(limitMs: number): Promise<boolean> {
    if (this.#unguarded.size > 0) return false;
    const meetings = [...this.#meetings.values()];
    if (meetings.length === 0) return true;
    if (meetings.some(({ overdue }) => overdue)) return false;
    const all = Promise.all(meetings.map(({ met }) => met)).then(() => true);
    return withTimeout(all, limitMs, () => {
      for (const meeting of this.#meetings.values()) meeting.overdue = true;
      return false;
    });
  }

  /**
   * Follows a page, or a frame that has its own process, and all frames inside. Call this before the page or
   * frame runs, so that the commands apply to its first document. This method does not wait for the answers,
   * because a frame answers only after it has a document.
   */
  follow(session: CdpSession, type: string): void {
    void session.ended.then(() => {
      this.#unguarded.delete(session);
      this.#leaving.delete(session);
      this.#forgetAll(session);
    });
    const script = { source: this.script.source, worldName: this.script.world, runImmediately: true };
    const added: Promise<{ identifier: string }>[] = [];
    let isReady = false;
    const prepare = () => {
      // Only a page counts as unguarded. An out-of-process frame without a document accepts no input.
      if (type === 'page') this.#unguarded.add(session);
      session.post('Page.enable', {});
      const adding = session.send('Page.addScriptToEvaluateOnNewDocument', script, FIRST_ANSWER_TIMEOUT_MS);
      added.push(adding);
      this.#bind(session);
      void Promise.all([adding, this.#meetTree(session, type)]).then(
        () => {
          isReady = true;
          this.#unguarded.delete(session);
        },
        () => undefined,
      );
    };
    const ends = [
      session.on('Inspector.targetCrashed', () => {
        this.#forgetAll(session);
        // A page without a process accepts no input.
        this.#unguarded.delete(session);
      }),
      // The browser itself repeats only commands that were answered before the crash. So this code sends the
      // commands again if an answer was missing.
      session.on('Inspector.targetReloadedAfterCrash', () => {
        if (!isReady) prepare();
      }),
      session.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
        const frame = name === this.script.tell && this.#ofContext(session, executionContextId);
        if (frame) this.onTold(frame, payload);
      }),
      session.on('Page.frameAttached', ({ frameId }) => this.#meet(session, frameId, false)),
      session.on('Page.frameDetached', ({ frameId }) => this.#forget(session, frameId)),
      session.on('Page.frameNavigated', ({ frame, type: how }) => {
        const top = type === 'page' && frame.parentId === undefined;
        if (top) this.#forgetAll(session);
        if (how === 'BackForwardCacheRestore') this.#meetTree(session, type).catch(() => undefined);
        else this.#meet(session, frame.id, top);
      }),
    ];
    this.#leaving.set(session, () => {
      for (const end of ends) end();
      for (const adding of added)
        void adding.then(
          ({ identifier }) => session.post('Page.removeScriptToEvaluateOnNewDocument', { identifier }),
          () => undefined,
        );
    });
    prepare();
  }

  /** Stops following. The script in existing frames keeps running. New frames do not get it. */
  close(): void {
    this.#closed = true;
    for (const leave of this.#leaving.values()) leave();
    this.#leaving.clear();
    this.#frames.clear();
    this.#meetings.clear();
    this.#unguarded.clear();
  }

  /** Forgets a frame that is gone. */
  lost(frame: FrameWorld): void {
    for (const [key, known] of this.#frames) if (known === frame) this.#frames.delete(key);
  }

  async #meetTree(session: CdpSession, type: string): Promise<void> {
    const meet = ({ frame, childFrames = [] }: FrameTree, top: boolean) => {
      this.#meet(session, frame.id, top);
      for (const child of childFrames) meet(child, false);
    };
    const { frameTree } = await session.send('Page.getFrameTree', {}, FIRST_ANSWER_TIMEOUT_MS);
    meet(frameTree, type === 'page');
  }

  #meet(session: CdpSession, id: string, top: boolean): void {
    if (this.#closed) return;
    const key = keyOf(session, id);
    this.#frames.delete(key);
    const meeting: Meeting = { met: Promise.resolve(), overdue: false };
    this.#meetings.set(key, meeting);
    meeting.met = this.#world(session, id, top).then(
      (frame) => {
        // The frame may have another document by now.
        if (this.#meetings.get(key) !== meeting) return;
        this.#meetings.delete(key);
        this.#frames.set(key, frame);
        this.onMet(frame);
      },
      (error: unknown) => {
        // If the frame did not answer in time, {@link complete} resolves to false until the frame has another
        // document.
        const silent = error instanceof CdpError && error.reason === 'timed-out';
        if (silent) meeting.overdue = true;
        else if (this.#meetings.get(key) === meeting) this.#meetings.delete(key);
      },
    );
  }

  async #world(session: CdpSession, frameId: string, top: boolean): Promise<FrameWorld> {
    const { guard, source, world: worldName } = this.script;
    // The browser returns the isolated world in which the script runs. The binding is lost when the frame
    // moves to another process, so this method adds it again.
    const world = { frameId, worldName };
    const { executionContextId: contextId } = await session.send(
      'Page.createIsolatedWorld',
      world,
      FIRST_ANSWER_TIMEOUT_MS,
    );
    this.#bind(session);
    // Evaluates the script again, which has no effect if the world already has it.
    const evaluation = { expression: source, contextId };
    await session.send('Runtime.evaluate', evaluation, FIRST_ANSWER_TIMEOUT_MS);
    return new FrameWorld(session, contextId, top, guard);
  }

  #bind(session: CdpSession): void {
    const { tell: name, world: executionContextName } = this.script;
    session.post('Runtime.addBinding', { name, executionContextName });
  }

  #ofContext(session: CdpSession, context: number): FrameWorld | undefined {
    return this.frames().find((frame) => frame.session === session && frame.context === context);
  }

  #forget(session: CdpSession, id: string): void {
    this.#frames.delete(keyOf(session, id));
    this.#meetings.delete(keyOf(session, id));
  }

  #forgetAll(session: CdpSession): void {
    const start = keyOf(session, '');
    for (const known of [this.#frames, this.#meetings])
      for (const key of known.keys()) if (key.startsWith(start)) known.delete(key);
  }
}

function keyOf({ id }: CdpSession, frame: string): string {
  return `${id} ${frame}`;
}

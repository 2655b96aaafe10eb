import { randomUUID } from 'node:crypto';
import type { CdpSession } from '../cdp/cdp-session.js';

/** The world's name in the browser. */
const WORLD = 'session-pointer';

/** Where the pointer is locked. */
interface Holder {
  session: CdpSession;
  /** The world of our script in the frame, as the browser numbers it. */
  context: number;
}

/**
 * Knows whether a page has locked the pointer: by a listener in a world of its own in every page and frame. Without the domain
 * `Runtime`, which a page can notice.
 */
export class PointerLockWatch {
  /** Called when a page has locked the pointer, or none has any more. */
  onChange: (locked: boolean) => void = () => undefined;
  readonly #tell = randomUUID();
  #holder: Holder | undefined;

  get locked(): boolean {
    return this.#holder !== undefined;
  }

  /** Follows a page, or the frames of another process in it. */
  follow(session: CdpSession): void {
    const source = `document.addEventListener('pointerlockchange', () =>
      globalThis[${JSON.stringify(this.#tell)}]?.(document.pointerLockElement ? 'locked' : ''), true);`;
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId: context }) => {
      if (name === this.#tell) this.#told({ session, context }, payload === 'locked');
    });
    // The browser forgets what the script may call with each process, and a document that goes tells nothing.
    session.on('Page.frameNavigated', () => {
      this.#bind(session);
      this.#check(session);
    });
    session.on('Page.frameDetached', () => this.#check(session));
    session.on('Inspector.targetCrashed', () => this.#gone(session));
    void session.ended.then(() => this.#gone(session));
    session.post('Page.enable', {});
    session.post('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD, runImmediately: true });
    this.#bind(session);
  }

  /** Takes the lock from the page that has it. */
  leave(): void {
    const holder = this.#holder;
    if (!holder) return;
    this.#hold(undefined);
    const { session, context: contextId } = holder;
    session.post('Runtime.evaluate', { expression: 'document.exitPointerLock()', contextId });
  }

  #bind(session: CdpSession): void {
    session.post('Runtime.addBinding', { name: this.#tell, executionContextName: WORLD });
  }

  #told(from: Holder, locked: boolean): void {
    const same = this.#holder?.session === from.session && this.#holder.context === from.context;
    if (locked) this.#hold(from);
    else if (same) this.#hold(undefined);
  }

  /** The frame that has the lock may be the one that is gone. */
  #check(session: CdpSession): void {
    const holder = this.#holder;
    if (holder?.session !== session) return;
    const asked = { expression: 'document.pointerLockElement !== null', contextId: holder.context };
    const lost = () => {
      if (this.#holder === holder) this.#hold(undefined);
    };
    session.send('Runtime.evaluate', asked).then(({ result }) => {
      if (result.value !== true) lost();
    }, lost);
  }

  #gone(session: CdpSession): void {
    if (this.#holder?.session === session) this.#hold(undefined);
  }

  #hold(holder: Holder | undefined): void {
    const before = this.locked;
    this.#holder = holder;
    if (before !== this.locked) this.onChange(this.locked);
  }
}

import { randomUUID } from 'node:crypto';
import type { CdpSession } from '../../cdp/cdp-session.js';

/** Name of the isolated world in the browser. */
const WORLD = 'session-pointer';

/** The document that has locked the pointer. */
interface Holder {
  session: CdpSession;
  /** Id of the isolated world's execution context in the frame. */
  context: number;
}

/**
 * Tracks if a page has locked the pointer. A listener runs in an isolated world in every page and frame. This
 * class does not enable the domain `Runtime`, because a page can detect that.
 */
export class PointerLockWatch {
  /** Called when a page has locked the pointer, and when the pointer is free again. */
  onChange: (locked: boolean) => void = () => undefined;
  readonly #notify = randomUUID();
  #holder: Holder | undefined;

  get locked(): boolean {
    return this.#holder !== undefined;
  }

  /** Follows a page, or a frame that has its own process. */
  follow(session: CdpSession): void {
    const source = `document.addEventListener('pointerlockchange', () =>
      globalThis[${JSON.stringify(this.#notify)}]?.(document.pointerLockElement ? 'locked' : ''), true);`;
    session.on('Runtime.bindingCalled', ({ name, payload, executionContextId: context }) => {
      if (name === this.#notify) this.#told({ session, context }, payload === 'locked');
    });
    // A new process does not have the binding, so the host adds it again. A replaced document does not report
    // the end of its pointer lock, so the host checks the lock.
    session.on('Page.frameNavigated', () => {
      this.#bind(session);
      this.#check(session);
    });
    session.on('Page.frameDetached', () => this.#check(session));
    session.on('Inspector.targetCrashed', () => this.#gone(session));
    void session.ended.then(() => this.#gone(session));
    const script = { source, worldName: WORLD, runImmediately: true };
    void session.prepare('Page.enable', {});
    void session.prepare('Page.addScriptToEvaluateOnNewDocument', script);
    this.#bind(session);
  }

  /** Releases the pointer lock of the page that has it. */
  leave(): void {
    const holder = this.#holder;
    if (!holder) return;
    this.#hold(undefined);
    const { session, context: contextId } = holder;
    session.post('Runtime.evaluate', { expression: 'document.exitPointerLock()', contextId });
  }

  #bind(session: CdpSession): void {
    void session.prepare('Runtime.addBinding', { name: this.#notify, executionContextName: WORLD });
  }

  #told(from: Holder, locked: boolean): void {
    const same = this.#holder?.session === from.session && this.#holder.context === from.context;
    if (locked) this.#hold(from);
    else if (same) this.#hold(undefined);
  }

  /** Checks the lock again, because the frame with the lock may be gone. */
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

import type { RawMessage } from '../../../browser/cdp/raw-sessions.js';
import type { BrowserLink } from '../browser-link.js';
import { isRecord } from '../../../../platform/is-record.js';
import { eventText, paramsOf } from '../commands/messages.js';
import type { ProgramState } from '../programs/program-state.js';
import {
  BROWSER,
  browserTarget,
  includes,
  isVisible,
  readTarget,
  type TargetDescription,
} from './target-map.js';
import { letGo, withoutPage } from '../private-time.js';
import { missedLoad, UNCACHED_DOCUMENTS } from './restored-pages.js';
import { ContextCheck } from './context-check.js';
import { PrivateTraces } from './private-traces.js';

/** Events that the relay reads. All other events of a program's targets are passed on unchanged. */
const READ_EVENTS = new Set([
  'Target.attachedToTarget',
  'Target.detachedFromTarget',
  'Runtime.executionContextCreated',
  'Runtime.executionContextDestroyed',
  'Runtime.executionContextsCleared',
]);

/**
 * Events that a program receives that lacks the role `control`, or that lacks the role for masked fields in a
 * session with such fields. They report which targets and frames exist, and what a viewer sees or a screen
 * reader reads. All other events could contain data that a page does not show, for example cookies, requests,
 * messages of the console, and changes of hidden nodes.
 */
const SHOWN_EVENTS = /^(?:Accessibility|Inspector|Page|Performance|Target)\./;

/** Events of pages with the address, the name and the id of a download. It may be that of a person. */
const DOWNLOAD_EVENTS = new Set(['Page.downloadProgress', 'Page.downloadWillBegin']);

/** Receiver of the events for one program. */
export interface EventReceiver {
  send: (text: string) => void;
  /** Returns false during another user's privacy mode. */
  canRead: () => boolean;
  /** Returns true if a user of the session is or was in privacy mode. */
  hadPrivacy: () => boolean;
  /** Returns true if the program has the role for downloads. */
  fetchesFiles: () => boolean;
  /** Returns true if the program has the role `control`. */
  mayAct: () => boolean;
  /** Returns true if the program may read masked fields, or the session has none. */
  readsMasked: () => boolean;
  /** Called when a CDP session of the program has ended. */
  onSessionEnded: (sessionId: string) => void;
}

/**
 * Follows the events of a program's CDP sessions. Passes on the events of targets that programs can reach.
 * Detaches from all other targets and lets them run.
 */
export class TargetEvents {
  readonly contexts: ContextCheck;
  readonly traces: PrivateTraces;
  /** Sessions with targets that programs cannot reach. The relay is detaching from them. */
  readonly #hidden = new Set<string>();
  /** Targets from which the relay has detached because they are hidden. */
  readonly #skipped = new Set<string>();

  constructor(
    private readonly state: ProgramState,
    private readonly link: BrowserLink,
    private readonly program: EventReceiver,
  ) {
    this.contexts = new ContextCheck((...command) => link.query(...command));
    this.traces = new PrivateTraces(state, link, program.hadPrivacy);
  }

  take({ event, sessionId = '', text }: RawMessage): void {
    if (event === undefined || this.#hidden.has(sessionId)) return;
    const isRoot = sessionId === this.link.root;
    if (!isRoot && this.state.targets.isBrowser(sessionId)) {
      this.#ofFurther(event, paramsOf(JSON.parse(text)), sessionId, text);
      return;
    }
    if (!isRoot && !READ_EVENTS.has(event)) {
      if (this.#mayReceive(event, sessionId)) this.#ofPage(event, text, sessionId);
      else letGo(this.link, event, text, sessionId);
      return;
    }
    const params = paramsOf(JSON.parse(text));
    if (isRoot) this.#ofBrowser(event, params);
    else this.#ofTarget(event, params, sessionId, text);
  }

  #mayReceive(event: string, sessionId: string): boolean {
    const { program } = this;
    if (!program.canRead() || this.traces.mayBePrivate(event, sessionId)) return false;
    return SHOWN_EVENTS.test(event) || (program.mayAct() && program.readsMasked());
  }

  /** Passes on an event of a page that the program may receive. */
  #ofPage(event: string, text: string, sessionId: string): void {
    if (DOWNLOAD_EVENTS.has(event) && !this.program.fetchesFiles()) return;
    this.program.send(text);
    if (event === 'Page.frameNavigated' && this.state.lifecycles.has(sessionId))
      for (const missed of missedLoad(text, sessionId)) this.program.send(missed);
  }

  #ofBrowser(event: string, params: Record<string, unknown>): void {
    const { root } = this.link;
    switch (event) {
      case 'Target.targetCreated':
      case 'Target.targetInfoChanged':
        this.#described(readTarget(params['targetInfo']));
        break;
      case 'Target.targetDestroyed':
        this.#destroyed(String(params['targetId']));
        break;
      case 'Target.targetCrashed':
        if (this.state.targets.target(params['targetId']))
          for (const id of this.state.discovers.keys()) this.#send(eventText(event, params, id));
        break;
      case 'Target.attachedToTarget':
        if (isOfBrowser(params)) this.#attachedToBrowser(params);
        else if (this.#attached(params, root)) this.#send(eventText(event, params));
        break;
      case 'Target.detachedFromTarget':
        if (this.#detached(String(params['sessionId']))) this.#send(eventText(event, params));
        break;
      default:
    }
  }

  /**
   * Handles an event of a CDP session that the program has opened with the browser in addition to its first
   * one. Passes on only reports of attached and detached targets. The program's first session receives the
   * other events about targets, for all sessions.
   */
  #ofFurther(event: string, params: Record<string, unknown>, sessionId: string, text: string): void {
    const passes =
      (event === 'Target.attachedToTarget' && this.#attached(params, sessionId)) ||
      (event === 'Target.detachedFromTarget' && this.#detached(String(params['sessionId'])));
    if (passes) this.#send(text);
  }

  /** Records an additional session of the program with the browser. */
  #attachedToBrowser({ sessionId }: Record<string, unknown>): void {
    if (typeof sessionId !== 'string') return;
    const { root } = this.link;
    this.link.own(sessionId);
    this.state.targets.attach({ id: sessionId, targetId: root, type: BROWSER, parent: root });
    const targetInfo = browserTarget(root);
    this.#send(eventText('Target.attachedToTarget', { sessionId, targetInfo, waitingForDebugger: false }));
  }

  #ofTarget(event: string, params: Record<string, unknown>, sessionId: string, text: string): void {
    const passes = {
      'Target.attachedToTarget': () => this.#attached(params, sessionId),
      'Target.detachedFromTarget': () => this.#detached(String(params['sessionId'])),
      'Runtime.executionContextCreated': () => this.contexts.created(sessionId, params['context']),
      'Runtime.executionContextDestroyed': () => this.contexts.worlds.destroyed(sessionId, params),
      'Runtime.executionContextsCleared': () => this.contexts.worlds.cleared(sessionId),
    }[event];
    if (passes?.()) this.#send(text);
  }

  /** Records a target. Notifies a program that has requested events about targets. */
  #described(target: TargetDescription | undefined): void {
    if (!target) return;
    const { targets, discovers } = this.state;
    const { targetId } = target;
    const was = targets.target(targetId);
    targets.set(target);
    const is = targets.target(targetId);
    for (const [id, filter] of discovers) {
      if (!includes(filter, target.type)) continue;
      const event = was ? 'Target.targetInfoChanged' : 'Target.targetCreated';
      if (is) this.#send(eventText(event, { targetInfo: is }, id));
      else if (was) this.#send(eventText('Target.targetDestroyed', { targetId }, id));
    }
    if (was && !is) this.#leave(targetId);
    if (is && !was) this.#shown(is);
  }

  #destroyed(targetId: string): void {
    const { targets, discovers } = this.state;
    this.#skipped.delete(targetId);
    const target = targets.remove(targetId);
    if (!target || !isVisible(target)) return;
    for (const [id, filter] of discovers)
      if (includes(filter, target.type)) this.#send(eventText('Target.targetDestroyed', { targetId }, id));
  }

  /** Attaches to a target that was hidden, for example a tab that has left the new tab page. */
  #shown({ targetId, type }: TargetDescription): void {
    const { attaches, targets } = this.state;
    const isTop = type === 'page' || type === 'tab';
    if (!isTop || !this.#skipped.delete(targetId)) return;
    for (const [id = this.link.root, filter] of attaches)
      if (includes(filter, type) && !targets.sessions(targetId).some(({ parent }) => parent === id))
        this.link.post('Target.attachToTarget', { targetId, flatten: true }, id);
  }

  #leave(targetId: string): void {
    for (const { id, parent } of this.state.targets.sessions(targetId))
      this.link.post('Target.detachFromTarget', { sessionId: id }, parent);
    this.#skipped.add(targetId);
  }

  /** Records a new session. Returns false if programs cannot reach its target. */
  #attached(params: Record<string, unknown>, parent: string): boolean {
    const { sessionId, targetInfo, waitingForDebugger } = params;
    const target = readTarget(targetInfo);
    if (typeof sessionId !== 'string' || !target) return false;
    this.link.own(sessionId);
    if (isVisible(target)) {
      const { targetId, type } = target;
      if (!this.state.targets.known(targetId)) this.state.targets.set(target);
      this.state.targets.attach({ id: sessionId, targetId, type, parent });
      if (type === 'page')
        this.link.post('Page.addScriptToEvaluateOnNewDocument', UNCACHED_DOCUMENTS, sessionId);
      // During another user's privacy mode the program cannot let the target run, because it may send no
      // commands. Without the role `control` it may not stop a page. So the relay lets the target run.
      if (waitingForDebugger === true && !(this.program.canRead() && this.program.mayAct()))
        this.link.post('Runtime.runIfWaitingForDebugger', {}, sessionId);
      return true;
    }
    this.#hidden.add(sessionId);
    this.#skipped.add(target.targetId);
    if (waitingForDebugger === true) this.link.post('Runtime.runIfWaitingForDebugger', {}, sessionId);
    this.link.post('Target.detachFromTarget', { sessionId }, parent);
    return false;
  }

  /**
   * Sends an event about targets and contexts. Removes addresses and titles of pages during another user's
   * privacy mode.
   */
  #send(text: string): void {
    this.program.send(this.program.canRead() ? text : withoutPage(text));
  }

  /** Forgets a session. Returns false if the program does not know it. */
  #detached(sessionId: string): boolean {
    const gone = this.state.targets.detach(sessionId);
    for (const { id } of gone) {
      this.link.disown(id);
      this.contexts.forget(id);
      this.traces.forget(id);
      this.state.forget(id);
      this.program.onSessionEnded(id);
    }
    if (this.#hidden.delete(sessionId)) this.link.disown(sessionId);
    return gone.length > 0;
  }
}

function isOfBrowser({ targetInfo }: Record<string, unknown>): boolean {
  return isRecord(targetInfo) && targetInfo['type'] === BROWSER;
}

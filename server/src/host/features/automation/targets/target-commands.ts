import type { BrowserLink } from '../browser-link.js';
import { eventText, RefusedCommand, resultText, type ClientCommand } from '../commands/messages.js';
import type { ProgramState } from '../programs/program-state.js';
import {
  BROWSER,
  browserTarget,
  DEFAULT_FILTER,
  includes,
  readFilter,
  type FilterEntry,
  type TargetDescription,
} from './target-map.js';

/** Maximum number of CDP sessions that one program may open with the browser, in addition to its first. */
const MAX_BROWSER_SESSIONS = 100;

type Answer = (command: ClientCommand) => Promise<void> | void;

/** Answers the methods of the domain `Target` for the pages, frames and workers of the session. */
export class TargetCommands {
  readonly #answers: Readonly<Record<string, Answer>> = {
    'Target.activateTarget': (command) => this.#onTarget(command),
    'Target.attachToBrowserTarget': (command) => this.#attachToBrowser(command),
    'Target.attachToTarget': (command) => this.#attach(command),
    'Target.closeTarget': (command) => this.#onTarget(command),
    'Target.createTarget': (command) => this.#create(command),
    'Target.detachFromTarget': (command) => this.#detach(command),
    'Target.getBrowserContexts': (command) => this.send(resultText(command, { browserContextIds: [] })),
    'Target.getTargetInfo': (command) => this.#info(command),
    'Target.getTargets': (command) => this.#list(command),
    'Target.setAutoAttach': (command) => this.#autoAttach(command),
    'Target.setDiscoverTargets': (command) => this.#discover(command),
  };

  constructor(
    private readonly state: ProgramState,
    private readonly link: BrowserLink,
    private readonly send: (text: string) => void,
  ) {}

  /**
   * Handles a command. Returns undefined if this class does not answer its method. Throws {@link
   * RefusedCommand}.
   */
  take(command: ClientCommand): Promise<void> | undefined {
    const answer = Object.hasOwn(this.#answers, command.method) ? this.#answers[command.method] : undefined;
    return answer && Promise.resolve(answer(command));
  }

  #onTarget(command: ClientCommand): Promise<void> {
    const { targetId, type } = this.#targetOf(command);
    if (type === BROWSER) throw new RefusedCommand('refused', `${command.method}: name a page.`);
    return this.#forward(command, { targetId });
  }

  #attach(command: ClientCommand): Promise<void> {
    const { targetId, type } = this.#targetOf(command);
    if (command.params['flatten'] !== true) throw flatOnly(command.method);
    if (type === BROWSER) return this.#attachToBrowser(command);
    return this.#forward(command, { targetId, flatten: true });
  }

  /** Opens another CDP session with the browser. The program can reach the same pages in each session. */
  #attachToBrowser(command: ClientCommand): Promise<void> {
    const { targets } = this.state;
    if (!targets.isBrowser(command.sessionId)) throw browserOnly();
    if (targets.sessions(this.link.root).length >= MAX_BROWSER_SESSIONS)
      throw new RefusedCommand(
        'refused',
        `At most ${MAX_BROWSER_SESSIONS} sessions with the browser. Detach one first.`,
      );
    const attach = { method: 'Target.attachToBrowserTarget', params: {}, sessionId: this.link.root };
    return this.link.forward(command, attach, 0);
  }

  #create(command: ClientCommand): Promise<void> {
    const { url = 'about:blank', background, browserContextId } = command.params;
    if (typeof url !== 'string') throw new RefusedCommand('invalidParams', 'url must be a string.');
    if (browserContextId !== undefined && !this.#isOwnContext(browserContextId))
      throw new RefusedCommand('refused', 'A session has one browser context. Omit browserContextId.');
    return this.#forward(command, { url, ...(background === true && { background }) });
  }

  #detach(command: ClientCommand): Promise<void> {
    const { params, sessionId } = command;
    const id = params['sessionId'] ?? sessionId;
    const session = typeof id === 'string' ? this.state.targets.session(id) : undefined;
    if (!session) throw new RefusedCommand('noSession', 'No session with given id');
    return this.#forward(command, { sessionId: session.id }, session.parent);
  }

  #info(command: ClientCommand): void {
    const { params, sessionId } = command;
    const { targets } = this.state;
    if (params['targetId'] === undefined && targets.isBrowser(sessionId)) {
      this.send(resultText(command, { targetInfo: browserTarget(this.link.root) }));
      return;
    }
    const own = sessionId === undefined ? undefined : targets.session(sessionId)?.targetId;
    const targetInfo = this.#target(params['targetId'] ?? own);
    this.send(resultText(command, { targetInfo }));
  }

  #list(command: ClientCommand): void {
    const targetInfos = this.#listed(filterOf(command) ?? DEFAULT_FILTER);
    this.send(resultText(command, { targetInfos }));
  }

  #discover(command: ClientCommand): void {
    const { discover } = command.params;
    if (typeof discover !== 'boolean')
      throw new RefusedCommand('invalidParams', 'discover must be a boolean.');
    const filter = filterOf(command) ?? DEFAULT_FILTER;
    const { discovers } = this.state;
    if (discover) discovers.set(command.sessionId, filter);
    else discovers.delete(command.sessionId);
    if (discover)
      for (const targetInfo of this.#listed(filter))
        this.send(eventText('Target.targetCreated', { targetInfo }, command.sessionId));
    this.send(resultText(command, {}));
  }

  #autoAttach(command: ClientCommand): Promise<void> {
    const { params, sessionId } = command;
    const { autoAttach, waitForDebuggerOnStart, flatten } = params;
    if (typeof autoAttach !== 'boolean')
      throw new RefusedCommand('invalidParams', 'autoAttach must be a boolean.');
    if (autoAttach && flatten !== true) throw flatOnly(command.method);
    const filter = filterOf(command);
    if (this.state.targets.isBrowser(sessionId)) {
      if (autoAttach) this.state.attaches.set(sessionId, filter ?? DEFAULT_FILTER);
      else this.state.attaches.delete(sessionId);
    }
    const sent = { autoAttach, waitForDebuggerOnStart: waitForDebuggerOnStart === true, flatten: true };
    return this.#forward(command, { ...sent, ...(filter && { filter }) }, sessionId);
  }

  #targetOf({ params, sessionId }: ClientCommand): TargetDescription {
    if (!this.state.targets.isBrowser(sessionId)) throw browserOnly();
    return this.#target(params['targetId']);
  }

  /**
   * Returns the targets that a program can reach. Includes the browser's own target if the filter includes
   * it, because Puppeteer needs this target.
   */
  #listed(filter: readonly FilterEntry[]): TargetDescription[] {
    const pages = this.state.targets.visible(filter);
    return includes(filter, BROWSER) ? [browserTarget(this.link.root), ...pages] : pages;
  }

  #target(targetId: unknown): TargetDescription {
    const { root } = this.link;
    const target = targetId === root ? browserTarget(root) : this.state.targets.target(targetId);
    if (!target) throw new RefusedCommand('invalidParams', 'No target with given id found');
    return target;
  }

  #browserOf({ sessionId }: ClientCommand): string {
    return sessionId !== undefined && this.state.targets.isBrowser(sessionId) ? sessionId : this.link.root;
  }

  #isOwnContext(id: unknown): boolean {
    return this.state.targets.visible([{}]).some((target) => target['browserContextId'] === id);
  }

  /**
   * Sends a command to the browser. By default, uses the session with the browser in which the program sent
   * the command, or else the program's first session.
   */
  #forward(command: ClientCommand, params: object, sessionId = this.#browserOf(command)): Promise<void> {
    return this.link.forward(command, { method: command.method, params, sessionId }, 0);
  }
}

function filterOf({ params }: ClientCommand): FilterEntry[] | undefined {
  if (params['filter'] === undefined) return undefined;
  const filter = readFilter(params['filter']);
  if (!filter) throw new RefusedCommand('invalidParams', 'filter must be a list of {type, exclude}.');
  return filter;
}

function browserOnly(): RefusedCommand {
  return new RefusedCommand('refused', 'Send this command to the browser.');
}

function flatOnly(method: string): RefusedCommand {
  return new RefusedCommand('refused', `${method}: set "flatten" to true.`);
}

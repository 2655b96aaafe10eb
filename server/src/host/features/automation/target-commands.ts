import type { BrowserLink } from './browser-link.js';
import { eventText, RefusedCommand, resultText, type ClientCommand } from './messages.js';
import type { ProgramState } from './program-state.js';
import { DEFAULT_FILTER, readFilter, type FilterEntry, type TargetDescription } from './target-map.js';

type Answer = (command: ClientCommand) => Promise<void> | void;

/** Answers the methods of the domain `Target` for the pages, frames and workers of the session. */
export class TargetCommands {
  readonly #answers: Readonly<Record<string, Answer>> = {
    'Target.activateTarget': (command) => this.#onTarget(command),
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
   * Handles a command. Returns undefined if its method is not one of these. Throws {@link RefusedCommand}.
   */
  take(command: ClientCommand): Promise<void> | undefined {
    const answer = Object.hasOwn(this.#answers, command.method) ? this.#answers[command.method] : undefined;
    return answer && Promise.resolve(answer(command));
  }

  #onTarget(command: ClientCommand): Promise<void> {
    const { targetId } = this.#targetOf(command);
    return this.#forward(command, { targetId });
  }

  #attach(command: ClientCommand): Promise<void> {
    const { targetId } = this.#targetOf(command);
    if (command.params['flatten'] !== true) throw flatOnly(command.method);
    return this.#forward(command, { targetId, flatten: true });
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
    const own = sessionId === undefined ? undefined : this.state.targets.session(sessionId)?.targetId;
    if (params['targetId'] === undefined && own === undefined) {
      const targetInfo = { targetId: this.link.root, type: 'browser', title: '', url: '', attached: true };
      this.send(resultText(command, { targetInfo: { ...targetInfo, canAccessOpener: false } }));
      return;
    }
    const targetInfo = this.#target(params['targetId'] ?? own);
    this.send(resultText(command, { targetInfo }));
  }

  #list(command: ClientCommand): void {
    const targetInfos = this.state.targets.visible(filterOf(command) ?? DEFAULT_FILTER);
    this.send(resultText(command, { targetInfos }));
  }

  #discover(command: ClientCommand): void {
    const { discover } = command.params;
    if (typeof discover !== 'boolean')
      throw new RefusedCommand('invalidParams', 'discover must be a boolean.');
    const filter = filterOf(command) ?? DEFAULT_FILTER;
    this.state.discovers = discover ? filter : undefined;
    if (discover)
      for (const targetInfo of this.state.targets.visible(filter))
        this.send(eventText('Target.targetCreated', { targetInfo }));
    this.send(resultText(command, {}));
  }

  #autoAttach(command: ClientCommand): Promise<void> {
    const { params, sessionId } = command;
    const { autoAttach, waitForDebuggerOnStart, flatten } = params;
    if (typeof autoAttach !== 'boolean')
      throw new RefusedCommand('invalidParams', 'autoAttach must be a boolean.');
    if (autoAttach && flatten !== true) throw flatOnly(command.method);
    const filter = filterOf(command);
    if (sessionId === undefined)
      this.state.attaches = autoAttach ? { filter: filter ?? DEFAULT_FILTER } : undefined;
    const sent = { autoAttach, waitForDebuggerOnStart: waitForDebuggerOnStart === true, flatten: true };
    return this.#forward(command, { ...sent, ...(filter && { filter }) }, sessionId);
  }

  #targetOf({ params, sessionId }: ClientCommand): TargetDescription {
    if (sessionId !== undefined) throw new RefusedCommand('refused', 'Send this command to the browser.');
    return this.#target(params['targetId']);
  }

  #target(targetId: unknown): TargetDescription {
    const target = this.state.targets.target(targetId);
    if (!target) throw new RefusedCommand('invalidParams', 'No target with given id found');
    return target;
  }

  #isOwnContext(id: unknown): boolean {
    return this.state.targets.visible([{}]).some((target) => target['browserContextId'] === id);
  }

  #forward(command: ClientCommand, params: object, sessionId = this.link.root): Promise<void> {
    return this.link.forward(command, { method: command.method, params, sessionId }, 0);
  }
}

function filterOf({ params }: ClientCommand): FilterEntry[] | undefined {
  if (params['filter'] === undefined) return undefined;
  const filter = readFilter(params['filter']);
  if (!filter) throw new RefusedCommand('invalidParams', 'filter must be a list of {type, exclude}.');
  return filter;
}

function flatOnly(method: string): RefusedCommand {
  return new RefusedCommand('refused', `${method}: set "flatten" to true.`);
}

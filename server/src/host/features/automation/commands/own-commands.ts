import type { AgentUser } from '../programs/agent-user.js';
import type { BrowserLink } from '../browser-link.js';
import { filesOf } from './named-files.js';
import { RefusedCommand, resultText, type ClientCommand } from './messages.js';
import type { PersonRequests } from '../person-requests.js';
import type { ProgramState } from '../programs/program-state.js';

/** Effects of a program's commands outside of the relay. */
export interface OwnEffects {
  /** Sends a message to the program. */
  send: (text: string) => void;
  /** Called when the program asks to close the browser. */
  onLeave: () => void;
  /**
   * Records that the program has enabled or disabled focus emulation for a page. With it, a page in the
   * background behaves as if it were in front.
   */
  emulateFocus: (target: string, enabled: boolean) => void;
  /** Cancels a download. */
  cancelDownload: (id: string) => void;
  /** Resolves to the path of a complete download for a page's field. Rejects with `CallError`. */
  pathOf: (download: string) => Promise<string>;
  /**
   * Returns the path of a file that a program has sent, for a field of a page or of a frame. Undefined if
   * there is no such file.
   */
  uploadOf: (upload: string, target: string | undefined) => string | undefined;
}

type Answer = (command: ClientCommand, size: number) => Promise<void> | void;

/**
 * Answers the methods that must work differently in a shared session than in an ordinary browser.
 * `TargetCommands` answers the methods of the domain `Target`.
 */
export class OwnCommands {
  readonly #answers: Readonly<Record<string, Answer>> = {
    'Browser.cancelDownload': (command) => {
      const { guid } = command.params;
      // Without the role, a program could cancel the downloads of people.
      if (!this.parts.agent.fetchesFiles)
        throw new RefusedCommand('forbidden', 'This needs the role file_download.');
      if (typeof guid === 'string') this.parts.cancelDownload(guid);
      this.#done(command);
    },
    'Browser.close': (command) => {
      this.#done(command);
      this.parts.onLeave();
    },
    'Browser.getWindowForTarget': (command, size) => this.#window(command, size),
    'Browser.setDownloadBehavior': (command) => {
      const { downloads } = this.state;
      if (command.params['eventsEnabled'] === true) downloads.add(command.sessionId);
      else downloads.delete(command.sessionId);
      this.#done(command);
    },
    'CloudBrowser.requestHuman': (command) => this.persons.take(command),
    'DOM.setFileInputFiles': (command, size) => this.#giveFiles(command, size),
    'Debugger.enable': (command, size) => this.#enableDebugger(command, size),
    'Emulation.setFocusEmulationEnabled': (command, size) => this.#emulateFocus(command, size),
    'Page.setDownloadBehavior': (command) => this.#done(command),
    'Page.setInterceptFileChooserDialog': (command, size) => {
      const enabled = command.params['enabled'] === true;
      return this.#forward(command, { enabled }, size);
    },
    'Page.setLifecycleEventsEnabled': (command, size) => {
      const enabled = command.params['enabled'] === true;
      const { lifecycles } = this.state;
      if (enabled && command.sessionId !== undefined) lifecycles.add(command.sessionId);
      else lifecycles.delete(command.sessionId ?? '');
      return this.#forward(command, { enabled }, size);
    },
  };

  constructor(
    private readonly state: ProgramState,
    private readonly link: BrowserLink,
    private readonly parts: OwnEffects & { agent: Pick<AgentUser, 'fetchesFiles' | 'givesFiles'> },
    private readonly persons: PersonRequests,
  ) {}

  /**
   * Handles a command. Returns undefined if this class does not answer its method. Throws {@link
   * RefusedCommand}.
   */
  take(command: ClientCommand, size: number): Promise<void> | undefined {
    const answer = Object.hasOwn(this.#answers, command.method) ? this.#answers[command.method] : undefined;
    return answer && Promise.resolve(answer(command, size));
  }

  #window(command: ClientCommand, size: number): Promise<void> {
    const { params, sessionId } = command;
    const own = sessionId === undefined ? undefined : this.state.targets.session(sessionId)?.targetId;
    const target = this.state.targets.target(params['targetId'] ?? own);
    if (!target) throw new RefusedCommand('invalidParams', 'No target with given id found');
    return this.#forward(command, { targetId: target.targetId }, size, this.link.root);
  }

  /** Lets a page in the background paint and take input as if it were in front. */
  #emulateFocus(command: ClientCommand, size: number): Promise<void> {
    const { params, sessionId } = command;
    const enabled = params['enabled'] === true;
    const session = sessionId === undefined ? undefined : this.state.targets.session(sessionId);
    if (session?.type === 'page') this.parts.emulateFocus(session.targetId, enabled);
    return this.#forward(command, { enabled }, size);
  }

  /**
   * Enables the debugger without its pauses. A `debugger` statement of a page or of the program would
   * otherwise stop the page for all users.
   */
  #enableDebugger(command: ClientCommand, size: number): Promise<void> {
    const { maxScriptsCacheSize } = command.params;
    // Disabling the debugger resets this setting.
    this.link.post('Debugger.setSkipAllPauses', { skip: true }, command.sessionId ?? this.link.root);
    return this.#forward(command, { maxScriptsCacheSize }, size);
  }

  /** Gives uploads of programs and downloads to a field. An empty list of files empties the field. */
  async #giveFiles(command: ClientCommand, size: number): Promise<void> {
    const { nodeId, backendNodeId, objectId } = command.params;
    const ids = filesOf(command);
    if (ids.length > 0 && !this.parts.agent.givesFiles)
      throw new RefusedCommand('forbidden', 'This needs the role file_upload.');
    const target = this.state.targets.session(command.sessionId ?? '')?.targetId;
    const files = await Promise.all(ids.map((id) => this.#pathOf(id, target)));
    return this.#forward(command, { files, nodeId, backendNodeId, objectId }, size);
  }

  async #pathOf(id: string, target: string | undefined): Promise<string> {
    const upload = this.parts.uploadOf(id, target);
    if (upload !== undefined) return upload;
    if (this.parts.agent.fetchesFiles) return this.parts.pathOf(id);
    throw new RefusedCommand('forbidden', `There is no upload ${id}. Downloads need the role file_download.`);
  }

  #done(command: ClientCommand): void {
    this.parts.send(resultText(command, {}));
  }

  #forward(
    command: ClientCommand,
    params: object,
    size: number,
    sessionId = command.sessionId ?? this.link.root,
  ): Promise<void> {
    return this.link.forward(command, { method: command.method, params, sessionId }, size);
  }
}

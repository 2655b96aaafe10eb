import type { BrowserLink } from '../browser-link.js';
import { RefusedCommand, type ClientCommand } from '../commands/messages.js';
import type { ProgramState } from '../programs/program-state.js';
import { BROWSER } from './target-map.js';

/** Events that the browser also sends for the past, and the command after which it does so. */
const REPEATED: Readonly<Record<string, string>> = {
  'Audits.issueAdded': 'Audits.enable',
  'Console.messageAdded': 'Console.enable',
  'Log.entryAdded': 'Log.enable',
  'Runtime.consoleAPICalled': 'Runtime.enable',
  'Runtime.exceptionThrown': 'Runtime.enable',
};
const REPEATING = new Set(Object.values(REPEATED));
/** The browser sends the old reports at any time after a command, so they cannot be told from new ones. */
const REPORT = 'Network.reportingApiReportAdded';

/** Parameters of `Network.enable` about what the browser keeps. The host remembers no others. */
const NETWORK_PARAMS = ['maxPostDataSize', 'maxResourceBufferSize', 'maxTotalBufferSize'] as const;

/**
 * Removes what the browser has kept for one program during another user's privacy mode. The program has
 * received no events of that time. But its CDP sessions keep responses, posted data and objects, and their
 * ids are easy to guess. Pages keep messages of the console, also for programs that connect later.
 */
export class PrivateTraces {
  /** Parameters of `Network.enable`, by the CDP sessions in which the domain is enabled. */
  readonly #networks = new Map<string, Record<string, number>>();
  /** Commands that the browser has not answered yet, and after which it sends old events. */
  readonly #repeating = new Map<ClientCommand, string>();

  /** @param hadPrivacy returns true if a user of the session has ever been in privacy mode */
  constructor(
    private readonly state: Pick<ProgramState, 'targets'>,
    private readonly link: Pick<BrowserLink, 'post'>,
    private readonly hadPrivacy: () => boolean,
  ) {}

  /**
   * Refuses to repeat a request, because the browser keeps the requests of privacy mode for this. Throws
   * {@link RefusedCommand}.
   */
  check({ method }: ClientCommand): void {
    if (method !== 'Network.replayXHR' || !this.hadPrivacy()) return;
    const message = `${method}: a request of privacy mode could be repeated. Send the request with a script.`;
    throw new RefusedCommand('refused', message);
  }

  /** Records a command that is sent to a CDP session. */
  sent(command: ClientCommand, sessionId: string): void {
    const { method, params } = command;
    if (REPEATING.has(method)) this.#repeating.set(command, sessionId);
    if (method === 'Network.enable') this.#networks.set(sessionId, networkParams(params));
    if (method === 'Network.disable') this.#networks.delete(sessionId);
  }

  /** Records that the browser has answered a command. */
  answered(command: ClientCommand): void {
    this.#repeating.delete(command);
  }

  /** Forgets a CDP session that has ended. */
  forget(sessionId: string): void {
    this.#networks.delete(sessionId);
    for (const [command, id] of this.#repeating) if (id === sessionId) this.#repeating.delete(command);
  }

  /**
   * True for an event that may be from a privacy mode that has ended. The page may have sent it before or
   * after privacy mode as well, because not all of these events have a time.
   */
  mayBePrivate(event: string, sessionId: string): boolean {
    const isReport = event === REPORT;
    const cause = REPEATED[event];
    if ((!isReport && cause === undefined) || !this.hadPrivacy()) return false;
    if (isReport) return true;
    for (const [{ method }, id] of this.#repeating) if (id === sessionId && method === cause) return true;
    return false;
  }

  /**
   * Makes the browser forget responses, posted data, and objects of console messages. Call it when privacy
   * mode ends, before the program's next command.
   */
  remove(): void {
    for (const [sessionId, params] of this.#networks) {
      // A buffer without room removes what it has. The domain and its other settings stay.
      this.link.post('Network.enable', { maxTotalBufferSize: 0 }, sessionId);
      this.link.post('Network.enable', params, sessionId);
    }
    for (const { id, type } of this.state.targets.sessions())
      if (type !== BROWSER) this.link.post('Runtime.releaseObjectGroup', { objectGroup: 'console' }, id);
  }
}

function networkParams(params: ClientCommand['params']): Record<string, number> {
  const kept: Record<string, number> = {};
  for (const name of NETWORK_PARAMS) {
    const value = params[name];
    if (typeof value === 'number') kept[name] = value;
  }
  return kept;
}

import type { HandoffRequest } from 'cloud-browser/protocol';
import { requestOf } from '../../room/agents/handoff-arguments.js';
import type { AgentUser } from './programs/agent-user.js';
import { eventText, RefusedCommand, resultText, type ClientCommand } from './commands/messages.js';

/**
 * Answers `CloudBrowser.requestHuman`, by which a program requests the help of a person. Sends
 * `CloudBrowser.humanDone` in the CDP session of the request when the request has ended.
 */
export class PersonRequests {
  /**
   * CDP sessions in which the program sent its open requests. The keys are the ids of the requests. Undefined
   * stands for the program's first session with the browser.
   */
  readonly #sessions = new Map<string, string | undefined>();

  constructor(
    private readonly agent: Pick<AgentUser, 'requestHuman' | 'onHandoffDone'>,
    private readonly send: (text: string) => void,
  ) {
    agent.onHandoffDone = (result) => {
      this.send(eventText('CloudBrowser.humanDone', result, this.#sessions.get(result.id)));
      this.#sessions.delete(result.id);
    };
  }

  /** Begins a request for the help of a person. Throws `RefusedCommand` or `CallError`. */
  take(command: ClientCommand): void {
    const request = readRequest(command.params);
    const { id } = this.agent.requestHuman(request);
    this.#sessions.set(id, command.sessionId);
    this.send(resultText(command, { id }));
  }
}

function readRequest({ instructions, timeout }: ClientCommand['params']): HandoffRequest {
  try {
    const [request] = requestOf([{ instructions, ...(timeout !== undefined && { timeout }) }]);
    return request;
  } catch (error) {
    throw new RefusedCommand('invalidParams', error instanceof Error ? error.message : String(error));
  }
}

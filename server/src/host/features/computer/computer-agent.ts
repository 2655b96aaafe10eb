import type { UserInput } from '../../input/user-input.js';
import type { ControlReturned } from '../../room/agents/agent.js';
import type { AgentAct } from '../../room/agents/agent-observer.js';
import type { CommandCounts } from '../../room/agents/agent-use.js';
import type { RightsHolder } from '../../room/users/can-use.js';

/** The agent on whose behalf a call acts. */
export interface ComputerAgent extends RightsHolder {
  readonly id: string;
  /** The agent's own mouse and keyboard. Replaced when the browser is restarted. */
  readonly input: UserInput;
  /** True if the agent may see the browser. False during another user's privacy mode. */
  readonly canRead: boolean;
  /** Called when the agent has control again, before its waiting commands begin. */
  onControlReturned: (returned: ControlReturned) => void;
  /** Called when a masked field has refused the agent's input. */
  onMasked: () => void;
  /** Called when a user has removed the agent from the session. */
  onKicked: (message: string) => void;
  /**
   * Resolves when the agent has control. Rejects if the agent does not get control, or if the client of the
   * command leaves before.
   */
  act(leaving?: AbortSignal): Promise<void>;
  /** Performs an input command when the agent has control. Rejects like {@link act}. */
  perform<T>(command: () => Promise<T>, leaving?: AbortSignal): Promise<T>;
  readonly counts: CommandCounts;
  /** Records that the agent is active. */
  acted(): void;
  /** Reports input to recordings. Called when the execution of the input begins. */
  performs(act: AgentAct): void;
  /** Shows the agent's pointer to viewers. The position is in pixels of the screen. */
  pointer(x: number, y: number): void;
  /** Removes the agent from the session. Releases its keys and its control. */
  leave(): void;
}

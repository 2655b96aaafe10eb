import type { UserInput } from '../../input/user-input.js';
import type { AgentAct } from '../../room/agents/agent-observer.js';
import type { CommandCounts } from '../../room/agents/agent-use.js';
import type { RightsHolder } from '../../room/users/can-use.js';

/** The user on whose behalf a call acts. */
export interface ComputerAgent extends RightsHolder {
  readonly id: string;
  /** Its own mouse and keyboard. Replaced when the browser is restarted. */
  readonly input: UserInput;
  /** True if it may see the browser. False during another user's privacy mode. */
  readonly canRead: boolean;
  /** Called when its input was refused because of a masked field. */
  onMasked: () => void;
  /** Called when it was removed from the session. */
  onKicked: (message: string) => void;
  /** Resolves when it has control. Rejects if it does not get control. */
  act(): Promise<void>;
  /** Performs an input command when the agent has control. Rejects if it does not get control. */
  perform<T>(command: () => Promise<T>): Promise<T>;
  readonly counts: CommandCounts;
  /** Records activity. */
  acted(): void;
  /** Records input that begins to be performed, for recordings. */
  performs(act: AgentAct): void;
  /** Shows its pointer to viewers. Pixels of the screen. */
  pointer(x: number, y: number): void;
  /** Ends it, and releases its keys and its control. */
  leave(): void;
}

import type { HandoffState, InputEvent } from 'cloud-browser/protocol';

/** Input of an agent, or an action on an element by a script. */
export type AgentAct = AgentInput | { element: 'click' | 'set' };

/** Input of an agent. */
export interface AgentInput {
  event: InputEvent;
  /**
   * Target id of the page that receives the event. The positions of the event are then CSS pixels of this
   * page. If undefined, they are pixels of the screen.
   */
  page?: string;
}

/** The parts of an agent that an observer needs. */
export interface ObservedAgent {
  readonly id: string;
  readonly name: string;
}

/** Receiver of all actions of agents, for recordings. */
export interface AgentObserver {
  onJoined(agent: ObservedAgent): void;
  onLeft(agent: ObservedAgent): void;
  /** Called immediately before an agent's input is performed. */
  onAct(agent: ObservedAgent, act: AgentAct): void;
  /** Called with the class of each command, such as `page`. */
  onCommand(id: string, kind: string): void;
  /** Called when a hand-off has begun or ended. */
  onHandoff(state: HandoffState): void;
}

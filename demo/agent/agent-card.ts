import { find, make } from '../dom.js';
import type { Session } from '../api.js';
import { OrderAgent, type AgentStep, type StepState } from './order-agent.js';

/** Texts beside a step for screen readers, who do not see its sign. */
const WORDS: Readonly<Record<StepState, string>> = {
  next: '',
  running: 'now',
  asking: 'your turn',
  done: 'done',
  failed: 'stopped',
};

/** Shows what the agent of this session does, beside the stage. */
export class AgentCard {
  readonly #card = find('.agent-card');
  readonly #steps = find('.agent-steps');
  readonly #hint = find('.agent-hint');
  #agent: OrderAgent | undefined;

  /** Starts an agent in a session, and shows its steps. */
  start(session: Session): void {
    this.stop();
    const agent = new OrderAgent(session, (steps, failure) => this.#show(steps, failure));
    this.#agent = agent;
    this.#card.hidden = false;
    this.#show(agent.steps);
    void agent.run();
  }

  /** Stops the agent, and hides its steps. */
  stop(): void {
    this.#agent?.stop();
    this.#agent = undefined;
    this.#card.hidden = true;
  }

  #show(steps: readonly AgentStep[], failure?: string): void {
    this.#steps.replaceChildren(...steps.map(stepView));
    this.#hint.textContent = failure ?? hintOf(steps);
  }
}

function stepView({ text, state }: AgentStep): HTMLElement {
  const item = make('li', 'agent-step', make('span', 'agent-sign'), make('span', 'agent-text', text));
  item.dataset['state'] = state;
  if (WORDS[state]) item.append(make('span', 'agent-state', WORDS[state]));
  return item;
}

function hintOf(steps: readonly AgentStep[]): string {
  if (steps.some(({ state }) => state === 'asking'))
    return 'It is your turn: sign in, then press Done over the picture. The agent waits.';
  if (steps.every(({ state }) => state === 'done')) return 'The agent has finished. The browser is yours.';
  return 'A program uses this browser over HTTP. Click or type at any time: the agent waits until you rest.';
}

import { ApiError, callSession, type Session } from '../api.js';
import { sentence } from '../session/session-keeper.js';

/** State of a step of the agent. `asking`: it waits for the visitor. */
export type StepState = 'next' | 'running' | 'asking' | 'done' | 'failed';

/** A step of the agent, as the page shows it. */
export interface AgentStep {
  readonly text: string;
  state: StepState;
}

/** Number of times for which the agent looks for a part of a page, and the time between two looks. */
const [LOOKS, LOOK_MS] = [80, 250];
/** Number of looks at the sign-in after the visitor has pressed Done. */
const SIGN_IN_LOOKS = 8;
/** Pause after each action, so that visitors can follow. Milliseconds. */
const PACE_MS = 350;
/** Seconds for which the agent waits for the visitor, and of each request that waits. */
const [HANDOFF_SECONDS, POLL_SECONDS] = [900, 25];

/** The field of the sign-in. The page shows it until a person has signed in. */
const PASSWORD = 'textbox "Password"';
/** Instructions for the visitor. The second ones follow if the visitor presses Done without a sign-in. */
const REQUESTS = [
  'Sign in to the shop, then press Done. Any email address and password will do.',
  'You have not signed in yet. Enter any email address and any password, and press “Sign in” in the shop. ' +
    'Then press Done.',
];
const NOT_SIGNED_IN = 'No person has signed in, so the agent has stopped.';

/** The session has ended, or shows another page. The agent stops without a message. */
class Stopped extends Error {}

/**
 * A scripted agent that orders flowers in the shop of `demo/welcome/order.html`. It uses the session's
 * computer calls over HTTP, like a program on a customer's server, and lets the visitor sign in.
 */
export class OrderAgent {
  readonly steps: readonly AgentStep[];
  readonly #tasks: readonly (() => Promise<void>)[];
  #stopped = false;

  /** @param tell called after each change of the steps, with a sentence after a failure */
  constructor(
    private readonly session: Session,
    private readonly tell: (steps: readonly AgentStep[], failure?: string) => void,
  ) {
    const tasks: [string, () => Promise<void>][] = [
      ['Choose a bouquet', () => this.#bouquet()],
      ['Enter the address', () => this.#delivery()],
      ['Ask you to sign in', () => this.#signIn()],
      ['Place the order', () => this.#order()],
    ];
    this.steps = tasks.map(([text]) => ({ text, state: 'next' }));
    this.#tasks = tasks.map(([, task]) => task);
  }

  /** Performs all steps. Never rejects. */
  async run(): Promise<void> {
    let current: AgentStep | undefined;
    try {
      for (const [at, task] of this.#tasks.entries()) {
        current = this.steps[at];
        this.#mark(current, 'running');
        await task();
        this.#mark(current, 'done');
      }
    } catch (error) {
      if (!(error instanceof Stopped)) this.#mark(current, 'failed', sentence(error));
    }
  }

  /** Stops the agent before its next action. */
  stop(): void {
    this.#stopped = true;
  }

  async #bouquet(): Promise<void> {
    await this.#act('set', { ref: await this.#ref('combobox "Bouquet"'), value: 'Peonies' });
    await this.#type('textbox "For whom"', 'Ada Lovelace');
    await this.#type('textbox "Text on the card"', 'Happy birthday!');
    await this.#click('button "Continue to delivery"');
  }

  async #delivery(): Promise<void> {
    await this.#type('textbox "Street"', '12 St James’s Square');
    await this.#type('textbox "City"', 'London');
    await this.#click('checkbox "Deliver in the morning"');
    await this.#click('button "Continue to sign-in"');
  }

  /** Leaves the sign-in to the visitor, because an agent should not know passwords. */
  async #signIn(): Promise<void> {
    await this.#ref(PASSWORD);
    for (const instructions of REQUESTS) {
      await this.#handOff(instructions);
      if (await this.#isSignedIn()) return;
    }
    throw new Error(NOT_SIGNED_IN);
  }

  /** Looks more than once, because the page may still handle the visitor's last key. */
  async #isSignedIn(): Promise<boolean> {
    for (let look = 0; look < SIGN_IN_LOOKS; look++) {
      if (!(await this.#text()).includes(PASSWORD)) return true;
      await this.#call('wait', { milliseconds: LOOK_MS });
    }
    return false;
  }

  /** Asks the visitor for something. Resolves when the visitor has pressed Done. */
  async #handOff(instructions: string): Promise<void> {
    const request = { instructions, timeout: HANDOFF_SECONDS };
    let handoff = (await callSession(this.session, 'handoffs', request)) as Handoff;
    this.#mark(this.steps[2], 'asking');
    while (handoff.outcome === null) {
      this.#check();
      const path = `handoffs/${handoff.id}?wait=${POLL_SECONDS}`;
      handoff = (await callSession(this.session, path)) as Handoff;
    }
    if (handoff.outcome !== 'done') throw new Error(NOT_SIGNED_IN);
    this.#mark(this.steps[2], 'running');
  }

  async #order(): Promise<void> {
    await this.#click('button "Place the order"');
    await this.#find('Thank you');
  }

  async #type(field: string, text: string): Promise<void> {
    await this.#act('type', { ref: await this.#ref(field), text, replace: true });
  }

  async #click(words: string): Promise<void> {
    await this.#act('click', { ref: await this.#ref(words) });
  }

  /** Returns the id of a part of the page, as soon as the page has it. */
  async #ref(words: string): Promise<string> {
    const line = await this.#find(words);
    return /\[ref=(\w+)\]/.exec(line)?.[1] ?? '';
  }

  async #find(words: string): Promise<string> {
    for (let look = 0; look < LOOKS; look++) {
      const line = (await this.#text()).split('\n').find((one) => one.includes(words));
      if (line !== undefined) return line;
      await this.#call('wait', { milliseconds: LOOK_MS });
    }
    throw new Error(`The page has no ${words}.`);
  }

  /** Returns the text of the page. */
  async #text(): Promise<string> {
    const { text } = (await this.#call('accessibility')) as { text: string };
    return text;
  }

  async #act(method: string, body: object): Promise<void> {
    await this.#call(method, body);
    await this.#call('wait', { milliseconds: PACE_MS });
  }

  /** Makes a computer call. Makes it again while the visitor has control. */
  async #call(method: string, body: object = {}): Promise<unknown> {
    for (;;) {
      this.#check();
      try {
        return await callSession(this.session, `computer/${method}`, body);
      } catch (error) {
        this.#check();
        if (!(error instanceof ApiError && error.code === 'err_person_has_control')) throw error;
      }
    }
  }

  #check(): void {
    if (this.#stopped) throw new Stopped();
  }

  #mark(step: AgentStep | undefined, state: StepState, failure?: string): void {
    if (!step || this.#stopped) return;
    step.state = state;
    this.tell(this.steps, failure);
  }
}

interface Handoff {
  id: string;
  outcome: string | null;
}

import type { HandoffOutcome, HandoffRequest, HandoffState } from 'cloud-browser/protocol';
import type { Clock } from '../../../platform/time/clock.js';
import { UserInput } from '../../input/user-input.js';
import type { InputDevices } from '../../input/input-devices.js';
import { agentGone, needsControl, rolesRest, type CallError } from '../calls/call-error.js';
import { canSee, canUse, type RightsHolder } from '../users/can-use.js';
import type { User } from '../users/known-users.js';
import { maskRights } from '../users/mask-rights.js';
import type { Rights } from '../users/rights.js';
import type { AgentSeat } from '../users/roster.js';
import { ActQueue } from './act-queue.js';
import { AgentDevices, type AgentDevice } from './agent-devices.js';
import type { AgentAct } from './agent-observer.js';
import { CommandCounts } from './agent-use.js';
import { FocusKeeper } from './focus-keeper.js';

/** Report to an agent that it has control again. */
export interface ControlReturned {
  /** Id of the person who had control, if they are still connected. */
  by: string | undefined;
  /** Address and title of the page that users see now. Empty if no page answers. */
  url: string;
  title: string;
}

/** Result of a hand-off. */
export interface HandoffResult {
  id: string;
  outcome: HandoffOutcome;
  /** Text of the person who answered. */
  note: string;
}

/** Parts of the session that an agent uses. */
export interface AgentSurroundings {
  /** Maximum time for which a command waits for control, in milliseconds. */
  holdMs: number;
  clock: Clock;
  /** Returns true if another user is in privacy mode. */
  shutsOut: (id: string) => boolean;
  controls: (id: string) => boolean;
  /** Returns the open hand-off for which an agent waits. */
  handoffOf: (id: string) => HandoffState | undefined;
  /** Returns the person who acted last. */
  lastToAct: () => string | undefined;
  /** Describes the page that users see. */
  page: () => Promise<{ url: string; title: string }>;
  acted: () => void;
  /** Records that the agent wants to act. An agent that was idle becomes active, like a user with input. */
  wakes: (agent: Agent) => void;
  pointer: (agent: Agent, x: number, y: number) => void;
  /** Records input of the agent. */
  acts: (agent: Agent, act: AgentAct) => void;
  leave: (agent: Agent) => void;
  requestHuman: (agent: Agent, request: HandoffRequest) => HandoffState;
}

/**
 * A program that drives the browser, as a user of the session. `README.md` has the rules about its control.
 */
export class Agent implements AgentSeat, RightsHolder {
  /**
   * Called with the reason when the agent was removed from the session. At that time the agent has already
   * left.
   */
  onKicked: (message: string) => void = () => undefined;
  /** Called when the agent has control again, before its waiting commands begin. */
  onControlReturned: (returned: ControlReturned) => void = () => undefined;
  /** Called when a hand-off of this agent, or of all agents, has ended. */
  onHandoffDone: (result: HandoffResult) => void = () => undefined;
  /** Called when the agent's input was refused because of a masked field. */
  onMasked: () => void = () => undefined;
  /** The agent never has the admin token. */
  readonly admin = false;
  readonly #devices: AgentDevices;
  readonly #queue: ActQueue;
  readonly #focus = new FocusKeeper(() => this.shared.pages);
  #input: UserInput;
  /** `returning`: the agent has control again, and its devices are being prepared. */
  #state: 'acting' | 'waiting' | 'returning' | 'left' = 'acting';
  #takenBy: string | undefined;
  #pasteRemoval: Promise<void> | undefined;
  /** Number of times that control has changed. */
  #changes = 0;

  constructor(
    readonly user: User,
    private shared: InputDevices,
    private readonly session: AgentSurroundings,
    readonly counts = new CommandCounts(),
  ) {
    this.#devices = new AgentDevices(session.clock);
    this.#queue = new ActQueue(session.holdMs, session.clock, () => session.handoffOf(this.id));
    this.#input = this.#newInput();
  }

  get id(): string {
    return this.user.id;
  }

  get name(): string {
    return this.user.agent?.name ?? '';
  }

  get rights(): Rights {
    return this.user.rights;
  }

  /** True if another user is in privacy mode. Then the agent may neither see nor do anything. */
  get shutOut(): boolean {
    return this.session.shutsOut(this.id);
  }

  /** True if the agent may read pages and take screenshots. False during another user's privacy mode. */
  get canRead(): boolean {
    return this.#state !== 'left' && canSee(this);
  }

  /** True if the agent may act when no person has control. */
  get mayAct(): boolean {
    return this.#refusal() === undefined;
  }

  /** True if the agent may read masked fields and write to them. */
  get opensMasked(): boolean {
    return this.#state !== 'left' && canUse(this, 'field_masking');
  }

  /** True if the agent may fetch and cancel downloads of the session. */
  get fetchesFiles(): boolean {
    return this.#state !== 'left' && canUse(this, 'file_download');
  }

  /** True if the agent may give files to pages. For downloads it also needs {@link fetchesFiles}. */
  get givesFiles(): boolean {
    return this.#state !== 'left' && canUse(this, 'file_upload');
  }

  /** True if the agent holds a key or a button. */
  get holdsAny(): boolean {
    return this.#input.holdsAny || this.#devices.holdsAny;
  }

  /** The agent's own mouse and keyboard on the display. Replaced when the browser is restarted. */
  get input(): UserInput {
    return this.#input;
  }

  /** Adds a device through which the agent acts. Returns a function that removes it. */
  use(device: AgentDevice): () => void {
    return this.#devices.add(device);
  }

  /**
   * Resolves when the agent may act. The commands of one agent begin in their order. Rejects with
   * {@link CallError}:
   *
   * - `err_person_has_control` if a person keeps control for too long, or if too many commands wait
   * - `err_forbidden` during another user's privacy mode, or without the role `control`
   * - `err_agent_gone` after the agent has left
   *
   * @param leaving signals that the client of the command has gone; a command that waits is then refused
   */
  act(leaving?: AbortSignal): Promise<void> {
    if (this.#state !== 'left') this.session.wakes(this);
    const refusal = this.#refusal();
    if (refusal) return Promise.reject(refusal);
    if (this.#state === 'acting' && this.#queue.empty) return Promise.resolve();
    return this.#queue.wait(leaving);
  }

  /**
   * Performs an input command when the agent may act. If a person takes control meanwhile, their input waits
   * for the end of the command, at most 300 ms. Rejects like {@link act}, or with the error of the command.
   */
  async perform<T>(command: () => Promise<T>, leaving?: AbortSignal): Promise<T> {
    await this.act(leaving);
    // A person may have taken control since the promise was resolved.
    if (this.#state !== 'acting') return this.perform(command, leaving);
    return this.#devices.track(command());
  }

  /**
   * Removes content that another user has sent for a paste. Call it before input that reaches a page over the
   * DevTools protocol. Resolves when the content is removed. All input that waits for it keeps its order.
   */
  removePasteOfOthers(): Promise<void> | undefined {
    if (this.#pasteRemoval) return this.#pasteRemoval;
    const removal = this.#input.removePasteOfOthers();
    this.#pasteRemoval = removal?.finally(() => (this.#pasteRemoval = undefined));
    return this.#pasteRemoval;
  }

  /**
   * Throws {@link CallError} if the agent may not act at all, for example without the role `control`. Does
   * not throw while a person has control.
   */
  checkControl(): void {
    const refusal = this.#refusal();
    if (refusal) throw refusal;
  }

  /** Records activity. It delays the inactivity timeout in sessions with `keep_alive`. */
  acted(): void {
    this.session.acted();
  }

  /** Reports input to recordings. Call it when the execution of the input begins. */
  performs(act: AgentAct): void {
    if (this.#state !== 'left') this.session.acts(this, act);
  }

  /** Shows the agent's pointer to viewers. The position is in pixels of the remote screen. */
  pointer(x: number, y: number): void {
    if (this.#state !== 'left') this.session.pointer(this, x, y);
  }

  /**
   * Requests the help of a person. The agent has no control until a person has answered, or until the
   * timeout. Throws {@link CallError} if the agent has left or lacks the role `control`, or if too many
   * hand-offs are open.
   *
   * @param request instructions and timeout in seconds. The caller must have checked both
   */
  requestHuman(request: Pick<HandoffRequest, 'instructions' | 'timeout'>): HandoffState {
    this.checkControl();
    return this.session.requestHuman(this, request);
  }

  /** Records the end of a hand-off. Called before the agent gets control again. */
  handoffEnded({ id, outcome, note, answeredBy }: HandoffState): void {
    if (!outcome) return;
    if (answeredBy !== null) this.#takenBy = answeredBy;
    this.onHandoffDone({ id, outcome, note });
  }

  /** Ends the agent: releases its keys, buttons and control, and refuses its waiting commands. */
  leave(): void {
    if (this.#state === 'left') return;
    this.#changes += 1;
    this.#state = 'left';
    this.#release();
    this.#input.giveUp();
    this.#input.close();
    this.#focus.close();
    this.#queue.refuse(agentGone());
    this.session.leave(this);
  }

  /** Uses the devices of a restarted browser. */
  useDevices(shared: InputDevices): void {
    this.shared = shared;
    this.#input = this.#newInput();
  }

  lostControl(): void {
    if (this.#state === 'left') return;
    this.#takenBy = this.session.lastToAct();
    this.#changes += 1;
    this.#state = 'waiting';
    this.#release();
    this.#input.giveUp();
    this.#keepFocus();
  }

  settled(controls: boolean): void {
    const refusal = this.#refusal();
    if (refusal) this.#queue.refuse(refusal);
    if (!controls && this.#state === 'acting') this.#state = 'waiting';
    if (controls && this.#state === 'waiting') void this.#return();
  }

  /** Releases all keys and buttons before the input of any other user. */
  #release(): void {
    if (this.#devices.busy) this.shared.queue.urge(() => this.#devices.release());
  }

  /** Remembers the focus for the agent's further commands, before the input of any other user. */
  #keepFocus(): void {
    this.shared.queue.urge(() => this.#devices.within(this.#focus.keep().catch(() => undefined)));
  }

  async #return(): Promise<void> {
    this.#state = 'returning';
    const change = this.#changes;
    const page = await this.session.page();
    await this.#focus.restore().catch(() => undefined);
    await this.#devices.resume();
    // A person may have taken control again meanwhile, or the agent may have left.
    if (this.#changes !== change) return;
    const by = this.#takenBy;
    this.#state = 'acting';
    this.onControlReturned({ by, ...page });
    this.#queue.begin();
  }

  #refusal(): CallError | undefined {
    if (this.#state === 'left') return agentGone();
    if (!canSee(this)) return rolesRest();
    if (canUse(this, 'control') || this.session.controls(this.id)) return undefined;
    return needsControl();
  }

  #newInput(): UserInput {
    const rights = maskRights(
      () => this,
      this.user.typing,
      () => this.onMasked(),
      this.session.clock,
    );
    return new UserInput(this.shared, { ...rights, isProgram: true });
  }
}

import { randomUUID } from 'node:crypto';
import type { HandoffRequest, HandoffState, InputEvent, Permissions, Role } from 'cloud-browser/protocol';
import type { Clock } from '../../../platform/time/clock.js';
import { withTimeout } from '../../../platform/time/timeout.js';
import type { InputDevices } from '../../input/input-devices.js';
import { CallError } from '../calls/call-error.js';
import type { KnownUsers, User } from '../users/known-users.js';
import { canUse } from '../users/can-use.js';
import { firstRights } from '../users/rights.js';
import type { Roster } from '../users/roster.js';
import { TakenRights } from '../users/taken-rights.js';
import { Agent, type AgentSurroundings } from './agent.js';
import type { AgentObserver } from './agent-observer.js';
import { AgentUseReport } from './agent-use.js';
import { Handoffs, HANDOFF_TIMEOUT_MS } from './handoffs.js';
import { freeColor } from './agent-colors.js';
import { OWN_TOKENS, RemovedTokens } from './removed-tokens.js';

/** Maximum number of agents in a session. */
const MAX_AGENTS = 32;
/** Maximum length of the name of an agent or a hand-off. A longer name is cut. */
const MAX_NAME_CHARS = 64;
/** Timeout for the description of the page that users see. Milliseconds. */
const PAGE_TIMEOUT_MS = 1_000;
/** Input that has the same effects as a click by a script, which has no position. */
const SCRIPT_CLICK: InputEvent = {
  ...{ type: 'button', seq: 0, modifiers: 0 },
  ...{ x: 0, y: 0, button: 0, pressed: true },
};

/** Settings of a session for its agents. */
export interface AgentSettings {
  /** Seconds for which a command of an agent waits while a person has control. */
  holdSeconds: number;
  /** True if commands of agents delay the inactivity timeout. */
  keepAlive: boolean;
}

/** Settings that apply if a session sets none for its agents. */
export const AGENT_DEFAULTS: AgentSettings = { holdSeconds: 30, keepAlive: false };

/** An agent that joins. */
export interface AgentEntry {
  /** Id of the new user. Default: a random id. */
  userId?: string;
  /** Name that viewers see. */
  name: string;
  roles: readonly Role[];
  permissions?: Partial<Permissions>;
  priority?: number;
  /**
   * Id of the token that admitted the agent. Absent for the credentials that the session has from its start.
   */
  tokenId?: string | undefined;
  /**
   * True if the agent replaces an agent with the same id that has also joined with `replaces`. If another
   * agent has the id, this one gets a random id. Otherwise the id must be free.
   */
  replaces?: boolean;
}

/** Receiver of the events of a session's agents. */
export interface AgentListener {
  /** Called for the log. */
  onUser(what: 'joined' | 'left' | 'sent away', fields: Record<string, unknown>): void;
  /** Called for the log, when a hand-off has begun or ended. */
  onHandoff(state: HandoffState): void;
  /** Called when an agent acted, in a session in which agents delay the inactivity timeout. */
  onActivity(): void;
}

/** The agents of a session: programs that drive the browser. They are users without a viewer. */
export class Agents {
  /** Called when an agent's pointer has moved. The position is in pixels of the screen. */
  onPointer: (agent: Agent, x: number, y: number) => void = () => undefined;
  /** Called with input of an agent on the display, such as the input of computer use. */
  onInput: (agent: Agent, event: InputEvent) => void = () => undefined;
  /** Called after an agent has joined or left. */
  onChanged: () => void = () => undefined;
  /** Called when an agent has left. */
  onLeft: (agent: Agent) => void = () => undefined;
  /** Called after a hand-off has begun or ended. */
  onHandoff: (state: HandoffState) => void = () => undefined;
  /** Receiver of all actions of agents, while a recording needs them. */
  observer: AgentObserver | undefined;
  /** The requests of agents for a person. */
  readonly handoffs: Handoffs;
  /** Counts of joins, commands and refusals, for the metrics. */
  readonly use: AgentUseReport;
  /** Tokens of the agents that an admin has removed. */
  readonly removedTokens = new RemovedTokens();
  listener: AgentListener | undefined;
  readonly #agents = new Map<string, Agent>();
  /** The agents that have joined with `replaces`, by the user id that they requested. */
  readonly #replaceable = new Map<string, Agent>();
  readonly #taken = new TakenRights();
  #devices: InputDevices | undefined;

  constructor(
    private readonly roster: Roster,
    private readonly known: KnownUsers,
    readonly settings: AgentSettings,
    private readonly clock: Clock,
  ) {
    this.handoffs = new Handoffs(clock);
    this.use = new AgentUseReport(() => this.#agents.size, clock);
    this.handoffs.onChanged = (state) => this.#onHandoff(state);
    roster.control.waitsForPerson = (id) => this.handoffs.openOf(id) !== undefined;
    roster.onRolesForAll = (roles) => this.#taken.giveBack(roles);
    roster.onAgentRights = ({ id, rights }, before) => {
      const agent = this.#agents.get(id);
      if (agent) this.#taken.changed(this.removedTokens.keyOf(agent), before, rights);
    };
  }

  /** Adds an agent as a user of the session. Throws {@link CallError}. */
  join(entry: AgentEntry): Agent {
    const { name, roles, permissions = {}, priority, tokenId, replaces = false } = entry;
    let { userId = randomUUID() } = entry;
    this.removedTokens.check(tokenId);
    if (!this.#devices)
      throw new CallError('err_browser_unavailable', 'The browser is being started. Try again in a moment.');
    const requested = userId;
    const earlier = replaces ? this.#replaceable.get(requested) : undefined;
    if (earlier)
      this.#sendAway(earlier, 'replaced', 'A newer connection of a program with this user id has joined.');
    // An agent that acts through calls has no connection that could be lost. Its calls continue.
    if (replaces && this.#agents.has(requested)) userId = randomUUID();
    if (this.#agents.size >= MAX_AGENTS)
      throw new CallError(
        'err_too_many_agents',
        `A session can have at most ${MAX_AGENTS} agents. Disconnect one first.`,
      );
    if (this.known.get(userId))
      throw new CallError('err_invalid_parameter', `There is a user ${userId} already. Use another id.`);
    const said = { ...permissions, ...(priority !== undefined && { priority }) };
    const first = firstRights({ controlDisabled: false, roles, tiedRoles: [] }, said);
    const rights = this.#taken.without(first, tokenId ?? OWN_TOKENS);
    const identity = { name: name.slice(0, MAX_NAME_CHARS), color: freeColor(this.list()) };
    const user = this.known.admit(userId, rights, said, this.clock.now(), { agent: identity });
    const counts = this.use.joins((kind) => this.observer?.onCommand(userId, kind));
    const agent = new Agent(user, this.#devices, this.#surroundings(), counts);
    this.#agents.set(userId, agent);
    if (replaces) this.#replaceable.set(requested, agent);
    this.removedTokens.joined(agent, tokenId);
    this.use.changed();
    this.observer?.onJoined(agent);
    this.roster.joinAgent(agent);
    this.listener?.onUser('joined', { user: userId, kind: 'agent', name: identity.name });
    this.onChanged();
    return agent;
  }

  /** Returns an agent by its user id. */
  get(userId: string): Agent | undefined {
    return this.#agents.get(userId);
  }

  /**
   * Begins a hand-off for an agent, or for all agents of the session. Throws {@link CallError}.
   *
   * @param standardName name that users see if neither the request nor the agents give one
   */
  requestPerson({ agent, instructions, timeout, name }: HandoffRequest, standardName = ''): HandoffState {
    const asking = agent === undefined ? undefined : this.#agents.get(agent);
    if (agent !== undefined && !asking)
      throw new CallError('err_user_not_found', `There is no agent ${agent} in this session.`);
    const [first, second] = this.list();
    const only = second ? undefined : first;
    return this.handoffs.request({
      agent: agent ?? null,
      name: (name ?? (asking ?? only)?.name ?? standardName).slice(0, MAX_NAME_CHARS),
      instructions,
      timeoutMs: timeout === undefined ? HANDOFF_TIMEOUT_MS : timeout * 1_000,
    });
  }

  /** True if a program may ask for a person: it may control, by its token or as an agent of the token. */
  mayAsk(roles: readonly Role[], tokenId = OWN_TOKENS): boolean {
    const first = firstRights({ controlDisabled: false, roles, tiedRoles: [] }, {});
    const agents = this.list().filter((one) => this.removedTokens.keyOf(one) === tokenId);
    const all = [this.#taken.without(first, tokenId), ...agents.map(({ rights }) => rights)];
    return all.some((rights) => canUse({ admin: false, shutOut: false, rights }, 'control'));
  }

  /** Returns all agents, in the order in which they joined. */
  list(): Agent[] {
    return [...this.#agents.values()];
  }

  /** True if an agent holds a key or a button. */
  get holdsAny(): boolean {
    for (const agent of this.#agents.values()) if (agent.holdsAny) return true;
    return false;
  }

  /**
   * Removes an agent because an admin requested it. The agent's token admits no agent any more. Returns false
   * if the user is not an agent.
   */
  kick({ id }: User): boolean {
    const agent = this.#agents.get(id);
    if (!agent) return false;
    this.removedTokens.removed(agent);
    this.#sendAway(agent, 'kicked', 'An admin removed you from this session.');
    return true;
  }

  /** Removes an agent because a person with the same id joins. Does nothing if the user is not an agent. */
  replace({ id }: User): void {
    const agent = this.#agents.get(id);
    if (agent) this.#sendAway(agent, 'replaced', 'A person with the same user id has joined this session.');
  }

  /** Uses the devices of the first browser, or of a restarted one. */
  useDevices(devices: InputDevices): void {
    this.#devices = devices;
    for (const agent of this.#agents.values()) agent.useDevices(devices);
  }

  /** Ends all agents, because the room closes. */
  close(): void {
    for (const agent of this.list()) agent.leave();
    this.handoffs.close();
    this.use.close();
  }

  #sendAway(agent: Agent, reason: 'kicked' | 'replaced', message: string): void {
    this.listener?.onUser('sent away', { user: agent.id, kind: 'agent', reason });
    agent.leave();
    agent.onKicked(message);
  }

  #onHandoff(state: HandoffState): void {
    const { control } = this.roster;
    // The person has finished, so the agents do not wait until the person is idle.
    if (state.answeredBy !== null) control.yieldToAgents();
    for (const agent of this.list())
      if (state.outcome && (state.agent === null || state.agent === agent.id)) agent.handoffEnded(state);
    this.observer?.onHandoff(state);
    this.roster.settle();
    this.listener?.onHandoff(state);
    this.onHandoff(state);
  }

  #surroundings(): AgentSurroundings {
    const { roster, clock } = this;
    return {
      holdMs: this.settings.holdSeconds * 1_000,
      clock,
      shutsOut: (id) => roster.control.shutsOut(id),
      controls: (id) => roster.controls(id),
      handoffOf: (id) => this.handoffs.openOf(id),
      lastToAct: () => roster.control.lastToAct(),
      page: () => this.#page(),
      acted: () => {
        if (this.settings.keepAlive) this.listener?.onActivity();
      },
      wakes: ({ id, rights }) => {
        if (rights.permissions.idle_timeout === 0) return;
        roster.control.touch(id);
        roster.settle();
      },
      pointer: (agent, x, y) => this.onPointer(agent, x, y),
      acts: (agent, act) => {
        this.observer?.onAct(agent, act);
        // Reports only input on the display, because it may open a file chooser of the session. A program
        // that sends its input over CDP sets the page's files itself.
        if ('element' in act) {
          if (act.element === 'click') this.onInput(agent, SCRIPT_CLICK);
        } else if (act.page === undefined) this.onInput(agent, act.event);
      },
      leave: (agent) => this.#left(agent),
      requestHuman: (agent, request) => this.requestPerson({ ...request, agent: agent.id }),
    };
  }

  #left(agent: Agent): void {
    this.#agents.delete(agent.id);
    for (const [id, one] of this.#replaceable) if (one === agent) this.#replaceable.delete(id);
    this.known.forget(agent.id);
    const { control } = this.roster;
    if (control.holder === agent.id) control.holder = undefined;
    this.roster.leaveAgent(agent);
    this.handoffs.withdrawOf(agent.id);
    const { commands, refused } = agent.counts;
    this.listener?.onUser('left', { user: agent.id, kind: 'agent', commands, refused });
    this.use.changed();
    this.observer?.onLeft(agent);
    this.onLeft(agent);
    this.onChanged();
  }

  /** Describes the page that users see. A page that does not answer has an empty address. */
  async #page(): Promise<{ url: string; title: string }> {
    const nothing = { url: '', title: '' };
    const asked = this.#frontPage().catch(() => nothing);
    return withTimeout(asked, PAGE_TIMEOUT_MS, () => nothing, this.clock);
  }

  async #frontPage(): Promise<{ url: string; title: string }> {
    const page = await this.#devices?.pages.front();
    if (!page) return { url: '', title: '' };
    const { targetInfo } = await page.send('Target.getTargetInfo', {});
    return { url: targetInfo.url, title: targetInfo.title };
  }
}

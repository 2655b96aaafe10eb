import type { Role } from 'cloud-browser/protocol';
import type { CallingAgent, HostSession } from '../../../host-protocol.js';
import { TimeBudget, type TimeShare } from '../../../platform/rates/time-budget.js';
import type { Clock, Timer } from '../../../platform/time/clock.js';
import { Lanes } from '../../../platform/time/lanes.js';
import type { ActingAgent } from '../../room/calls/access.js';
import { agentGone, CallError, clientGone } from '../../room/calls/call-error.js';
import { TOKEN_END_SENTENCES, type EndedTokens } from '../../room/ended-tokens.js';
import type { ComputerAgent } from './computer-agent.js';
import { Hands } from './hands.js';

/** An agent leaves after this time without a call. Milliseconds. */
const LEAVE_MS = 120_000;

/** Maximum share of its time that the session spends on screenshots for one agent. */
const TIME_OF_PICTURES: TimeShare = { share: 0.2, burstMs: 1_000 };

/** Settings of a session for programs. */
export type AutomationSettings = NonNullable<HostSession['automation']>;

/** Adds agents to the session, see `Agents` of the room. */
export interface AgentEntrance {
  /** Adds an agent to the session. Throws {@link CallError}. */
  join(entry: { userId?: string; name: string; roles: readonly Role[]; tokenId?: string }): ComputerAgent;
}

/** An agent that uses the browser through calls to the service. It has its own mouse and keyboard. */
export interface CallingUser extends ActingAgent {
  readonly agent: ComputerAgent;
  readonly hands: Hands;
  /** Aborted when the agent has left the session. The reason is a {@link CallError}. */
  readonly left: AbortSignal;
  /** Limits the time in which the session makes screenshots for the agent. */
  readonly pictureTime: TimeBudget;
  /** Time of the end of the agent's last action. */
  actedAt: number;
  /**
   * Performs a call that acts. The call waits until the agent's earlier calls that act have ended. Rejects if
   * the client of the call leaves before the call begins.
   */
  inOrder<T>(call: () => Promise<T>, leaving?: AbortSignal): Promise<T>;
}

interface Member extends CallingUser {
  /** Ends the waits of the agent's calls. */
  end(error: CallError): void;
  leaving: Timer | undefined;
  calls: number;
}

/**
 * The agents that use the browser through calls to the service. All calls with the same token act as the same
 * agent. An agent joins with its first call, and leaves {@link LEAVE_MS} after its last call.
 */
export class ComputerAgents {
  readonly #members = new Map<string, Member>();

  /**
   * @param settled resolves when the browser has received all earlier input
   * @param endedTokens reports tokens that have expired or were revoked; their agents leave
   */
  constructor(
    private readonly agents: AgentEntrance,
    private readonly settings: AutomationSettings,
    private readonly settled: () => Promise<void>,
    private readonly clock: Clock,
    private readonly endedTokens: Pick<EndedTokens, 'endOf' | 'onEnd'>,
  ) {
    endedTokens.onEnd((tokenId, reason) =>
      this.#end(tokenId, new CallError('err_agent_gone', TOKEN_END_SENTENCES[reason])),
    );
  }

  /** Performs a call as the agent of a caller. Rejects with {@link CallError}. */
  async during<T>(caller: CallingAgent, call: (user: CallingUser) => Promise<T>): Promise<T> {
    const member = this.#memberOf(caller);
    const leave = member.stay();
    try {
      return await call(member);
    } finally {
      leave();
    }
  }

  close(): void {
    for (const member of this.#members.values()) {
      member.leaving?.cancel();
      member.end(agentGone());
    }
    this.#members.clear();
  }

  #end(tokenId: string, error: CallError): void {
    const member = this.#members.get(tokenId);
    member?.agent.leave();
    member?.end(error);
    this.#members.delete(tokenId);
  }

  #memberOf(caller: CallingAgent): Member {
    const { tokenId = '' } = caller;
    const known = this.#members.get(tokenId);
    if (known) return known;
    // The service checked the token before it read the body of the request. The token may have ended since,
    // because reading the body may take half a minute.
    const ended = this.endedTokens.endOf(caller.tokenId);
    if (ended) throw new CallError('err_forbidden', TOKEN_END_SENTENCES[ended]);
    const agent = this.#join(caller);
    const lane = new Lanes(1);
    const left = new AbortController();
    const member: Member = {
      agent,
      left: left.signal,
      end: (error) => left.abort(error),
      hands: new Hands(agent, this.settled),
      pictureTime: new TimeBudget(TIME_OF_PICTURES, () => this.clock.now()),
      inOrder: (call, leaving) =>
        lane.run(async () => {
          if (leaving?.aborted) throw clientGone();
          member.hands.leaving = AbortSignal.any([left.signal, ...(leaving ? [leaving] : [])]);
          return call();
        }),
      stay: () => this.#stay(member, tokenId),
      actedAt: -Infinity,
      leaving: undefined,
      calls: 0,
    };
    agent.onKicked = (message) => {
      // Without this, the timer would later remove the next agent of this token.
      member.leaving?.cancel();
      this.#members.delete(tokenId);
      member.end(new CallError('err_agent_gone', message));
    };
    this.#members.set(tokenId, member);
    return member;
  }

  /**
   * Keeps the agent in the session during a call. The caller calls the returned function at the end of the
   * call. The agent leaves {@link LEAVE_MS} after its last call has ended.
   */
  #stay(member: Member, tokenId: string): () => void {
    member.leaving?.cancel();
    member.calls += 1;
    return () => {
      member.calls -= 1;
      if (member.calls > 0 || this.#members.get(tokenId) !== member) return;
      member.leaving = this.clock.setTimeout(() => this.#end(tokenId, agentGone()), LEAVE_MS);
    };
  }

  #join({ userId, name, roles, tokenId }: CallingAgent): ComputerAgent {
    const { settings } = this;
    const token = tokenId !== undefined && { tokenId };
    const entry = { name: name ?? settings.name, roles: roles ?? settings.roles, ...token };
    if (userId === undefined) return this.agents.join(entry);
    try {
      return this.agents.join({ ...entry, userId });
    } catch (error) {
      // A user with this id is already connected, for example over CDP. So the agent joins with another id.
      if (error instanceof CallError && error.code === 'err_invalid_parameter')
        return this.agents.join(entry);
      throw error;
    }
  }
}

import {
  isSessionMethod,
  type Call,
  type MethodArgs,
  type MethodResult,
  type SessionEvent,
  type SessionEvents,
  type SessionMethod,
} from 'cloud-browser/protocol';
import type { CallingAgent } from '../../../host-protocol.js';
import type { Viewer } from '../viewers/viewer.js';
import { secretHash } from '../../../platform/secrets.js';
import { forAll, type Access, type Caller } from './access.js';
import { eventArgument } from './arguments.js';
import { CallError, clientGone, failureOf } from './call-error.js';
import { CallLane, MAX_OPEN_CALLS, MAX_WAITING_CALLS, QUESTION, type CallCost } from './call-lane.js';

/**
 * Arguments of a method after its check. For methods of `chrome.tabs`, the host checks only URLs. Chrome
 * itself checks the other arguments.
 */
export type CheckedArgs<Method extends SessionMethod> = Method extends `tabs.${string}`
  ? readonly unknown[]
  : MethodArgs<Method>;

/** Checks of a method before its handler is called. */
export interface MethodRules<Method extends SessionMethod> {
  access: Access;
  /**
   * Returns the checked arguments in the form that the handler expects. Throws {@link CallError} or
   * `ProtocolError`.
   */
  check: (args: readonly unknown[]) => CheckedArgs<Method>;
  /** Default: {@link QUESTION}. */
  cost?: CallCost;
}

/** Performs a method. If it throws, the caller receives the error. */
export type CallHandler<Method extends SessionMethod> = (
  args: CheckedArgs<Method>,
  caller: Caller,
) => MethodResult<Method> | Promise<MethodResult<Method>>;

/**
 * Checks a subscription. Throws {@link CallError} at once to refuse it. If it returns a promise, the
 * subscription is confirmed when the promise settles.
 */
export type SubscriptionCheck = (caller: Caller) => void | Promise<void>;

/** A viewer's subscription to an event. */
interface Subscription {
  /** Number of the viewer's `subscribe` calls for the event that were accepted or are being checked. */
  requests: number;
}

/** The methods and events of a session that viewers and the service can use, in addition to input. */
export class Calls {
  readonly #handlers = new Map<SessionMethod, (args: readonly unknown[], caller: Caller) => unknown>();
  readonly #costs = new Map<SessionMethod, CallCost>();
  readonly #events = new Map<SessionEvent, SubscriptionCheck>();
  /** Functions to call with a viewer that no longer receives an event. */
  readonly #endings = new Map<SessionEvent, (viewer: Viewer) => void>();
  readonly #subscribers = new Map<SessionEvent, Map<Viewer, Subscription>>();
  readonly #lanes = new Map<Viewer, CallLane>();
  /**
   * All backends share one lane (a queue with a rate limit), and all programs share another. So programs do
   * not delay the calls of backends.
   */
  readonly #backends = new CallLane();
  readonly #programs = new CallLane();

  /** Called when a viewer has sent the admin token for the first time. The viewer's rights change then. */
  onAdmin: (viewer: Viewer) => void = () => undefined;
  /** Checks that a program may still call a method. Throws {@link CallError} to refuse it. */
  checkProgram: (program: CallingAgent, method: SessionMethod) => void = () => undefined;
  /** Called with every event of the session, also if no viewer has subscribed to it. */
  onPublished: ((name: SessionEvent, args: readonly unknown[]) => void) | undefined;

  /** Called with each call that was carried out. `args` are the arguments as the caller sent them. */
  onPerformed: ((method: SessionMethod, args: readonly unknown[], caller: Caller) => void) | undefined;

  /**
   * @param isAdmin returns true if a token is an admin token of the session
   * @param isAdminHash returns true if a hash is that of an admin token of the session
   */
  constructor(
    private readonly isAdmin: (token: string) => boolean,
    readonly isAdminHash: (hash: string) => boolean = () => true,
  ) {
    const rules = { access: forAll, check: eventArgument };
    this.add('subscribe', rules, ([event], caller) => this.#subscribe(event, caller));
    this.add('unsubscribe', rules, ([event], { viewer }) => {
      if (viewer) this.#unsubscribe(event, viewer);
    });
  }

  /** Registers a method. Its handler is called after the rules have allowed the call. */
  add<Method extends SessionMethod>(
    method: Method,
    { access, check, cost = QUESTION }: MethodRules<Method>,
    handler: CallHandler<Method>,
  ): void {
    this.#costs.set(method, cost);
    this.#handlers.set(method, (args, caller) => {
      access(caller);
      return handler(check(args), caller);
    });
  }

  /**
   * Registers an event.
   *
   * @param onEnd called with a viewer that has unsubscribed or left
   */
  addEvent(name: SessionEvent, check: SubscriptionCheck, onEnd?: (viewer: Viewer) => void): void {
    this.#events.set(name, check);
    if (onEnd) this.#endings.set(name, onEnd);
  }

  /** Carries out a viewer's call when it is its turn, and sends the answer. */
  async answer(viewer: Viewer, call: Call): Promise<void> {
    const lane = this.#laneOf(viewer);
    const cost = this.#costOf(call.method);
    if (!lane.enter(cost)) {
      viewer.send({ type: 'answer', id: call.id, error: failureOf(tooManyCalls(cost)) });
      return;
    }
    try {
      const turn = lane.turn(cost);
      if (turn !== true && !(await turn)) return;
      // Checks the token only now, because it may have ended while the call waited.
      const admin = call.adminToken !== undefined && this.isAdmin(call.adminToken);
      if (admin && call.adminToken !== undefined) viewer.adminBy = secretHash(call.adminToken);
      if (!isSessionMethod(call.method)) throw unknownMethod(call.method);
      const result = await this.perform(call.method, call.args, { viewer, admin });
      viewer.send({ type: 'answer', id: call.id, ...(result !== undefined && { result }) });
    } catch (error) {
      viewer.send({ type: 'answer', id: call.id, error: failureOf(error) });
    } finally {
      lane.leave(cost);
    }
  }

  /**
   * Carries out a call of a backend that has the admin token. The call waits for its turn. Rejects like
   * {@link perform}.
   *
   * @param program the program on whose behalf the backend calls. Absent for the backend itself
   * @param leaving signals that the client has gone
   */
  async ofBackend(
    method: SessionMethod,
    args: readonly unknown[],
    program?: CallingAgent,
    leaving?: AbortSignal,
  ): Promise<unknown> {
    if (program) this.checkProgram(program, method);
    const lane = program ? this.#programs : this.#backends;
    const cost = this.#costOf(method);
    if (!lane.enter(cost)) throw tooManyCalls(cost);
    try {
      await lane.turn(cost);
      if (leaving?.aborted) throw clientGone();
      // An admin may have removed the program while the call waited.
      if (program) this.checkProgram(program, method);
      const result = await this.perform(method, args, { viewer: undefined, admin: true, program, leaving });
      // The call may have taken long, for example until a person answered.
      if (program) this.checkProgram(program, method);
      return result;
    } finally {
      lane.leave(cost);
    }
  }

  /** Resolves when a program may begin another step of a call. The step counts like a call. */
  async programTurn(cost: CallCost): Promise<void> {
    await this.#programs.turn(cost);
  }

  /**
   * Carries out a method with untrusted arguments. Rejects with {@link CallError}, or with the handler's
   * error.
   */
  async perform(method: SessionMethod, args: readonly unknown[], caller: Caller): Promise<unknown> {
    const handler = this.#handlers.get(method);
    if (!handler) throw unknownMethod(method);
    if (caller.viewer && caller.admin) this.#becomesAdmin(caller.viewer);
    const result = await handler(args, caller);
    this.onPerformed?.(method, args, caller);
    return result;
  }

  /** True if any viewer has subscribed to the event. */
  hasSubscribers(name: SessionEvent): boolean {
    return (this.#subscribers.get(name)?.size ?? 0) > 0;
  }

  /**
   * Sends an event to its subscribers, or only to the subscribers that `isFor` accepts. Returns the number of
   * receivers.
   */
  publish<Event extends SessionEvent>(
    name: Event,
    args: SessionEvents[Event],
    isFor: (viewer: Viewer) => boolean = () => true,
  ): number {
    this.onPublished?.(name, args);
    const viewers = [...(this.#subscribers.get(name)?.keys() ?? [])].filter(isFor);
    for (const viewer of viewers) viewer.send({ type: 'event', name, args });
    return viewers.length;
  }

  /** Forgets a viewer that has left. */
  forget(viewer: Viewer): void {
    for (const name of this.#subscribers.keys()) this.#unsubscribe(name, viewer);
    this.#lanes.get(viewer)?.close();
    this.#lanes.delete(viewer);
  }

  #becomesAdmin(viewer: Viewer): void {
    if (viewer.admin) return;
    viewer.admin = true;
    this.onAdmin(viewer);
  }

  #costOf(method: string): CallCost {
    return (isSessionMethod(method) && this.#costs.get(method)) || QUESTION;
  }

  #laneOf(viewer: Viewer): CallLane {
    const lane = this.#lanes.get(viewer) ?? new CallLane();
    this.#lanes.set(viewer, lane);
    return lane;
  }

  #unsubscribe(name: SessionEvent, viewer: Viewer): void {
    if (this.#subscribers.get(name)?.delete(viewer)) this.#endings.get(name)?.(viewer);
  }

  async #subscribe(name: SessionEvent, caller: Caller): Promise<void> {
    const check = this.#events.get(name);
    if (!check) throw new CallError('err_unknown_event', `There is no event ${name}.`);
    const ready = check(caller);
    const viewers = this.#subscribers.get(name) ?? new Map<Viewer, Subscription>();
    this.#subscribers.set(name, viewers);
    const { viewer } = caller;
    if (!viewer) return ready;
    const subscription = viewers.get(viewer) ?? { requests: 0 };
    viewers.set(viewer, subscription);
    subscription.requests += 1;
    try {
      await ready;
    } catch (error) {
      subscription.requests -= 1;
      // A refusal does not end a subscription that the viewer has requested again.
      if (subscription.requests === 0 && viewers.get(viewer) === subscription) viewers.delete(viewer);
      throw error;
    }
  }
}

function tooManyCalls({ merges, waits }: CallCost): CallError {
  const limit =
    merges || waits
      ? `${MAX_WAITING_CALLS} calls of one caller can wait for their turn`
      : `${MAX_OPEN_CALLS} calls of one caller can be in progress`;
  return new CallError('err_too_many_calls', `At most ${limit}. Wait for some answers first.`);
}

function unknownMethod(method: string): CallError {
  return new CallError('err_unknown_method', `There is no method ${method}.`);
}

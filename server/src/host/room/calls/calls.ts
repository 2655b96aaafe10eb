import {
  isSessionMethod,
  type Call,
  type MethodResult,
  type SessionEvent,
  type SessionEvents,
  type SessionMethod,
} from 'cloud-browser/protocol';
import type { Viewer } from '../viewer.js';
import { forAll, type Access, type Caller } from './access.js';
import { checkedArgs, type CheckedArgs } from './arguments.js';
import { CallError, failureOf } from './call-error.js';
import { CallLane, MAX_OPEN_CALLS } from './call-lane.js';

/** Carries out a method; what it throws is told to the caller. */
export type CallHandler<Method extends SessionMethod> = (
  args: CheckedArgs<Method>,
  caller: Caller,
) => MethodResult<Method> | Promise<MethodResult<Method>>;

/**
 * Decides about a subscription: throws {@link CallError} to refuse, at once. What has to be made ready first is a promise; the
 * subscription is answered when it settles.
 */
export type SubscriptionCheck = (caller: Caller) => void | Promise<void>;

/** The methods and events of a session: what viewers and the service can ask for beside input. */
export class Calls {
  readonly #handlers = new Map<SessionMethod, (args: readonly unknown[], caller: Caller) => unknown>();
  readonly #events = new Map<SessionEvent, SubscriptionCheck>();
  /** Told of who has had an event, and has it no more. */
  readonly #endings = new Map<SessionEvent, (viewer: Viewer) => void>();
  readonly #subscribers = new Map<SessionEvent, Set<Viewer>>();
  readonly #lanes = new Map<Viewer, CallLane>();
  /** One for all backends. */
  readonly #backends = new CallLane();

  /** @param isAdmin whether a token is the session's admin token */
  constructor(private readonly isAdmin: (token: string) => boolean) {
    this.add('subscribe', forAll, ([event], caller) => this.#subscribe(event, caller));
    this.add('unsubscribe', forAll, ([event], { viewer }) => {
      if (viewer) this.#unsubscribe(event, viewer);
    });
  }

  /** Makes a method known, to those whom `access` lets pass. Arguments are checked before the handler gets them. */
  add<Method extends SessionMethod>(method: Method, access: Access, handler: CallHandler<Method>): void {
    this.#handlers.set(method, (args, caller) => {
      access(caller);
      return handler(checkedArgs(method, args), caller);
    });
  }

  /** Makes an event known. @param onEnd told of a viewer who has unsubscribed, or has left */
  addEvent(name: SessionEvent, check: SubscriptionCheck, onEnd?: (viewer: Viewer) => void): void {
    this.#events.set(name, check);
    if (onEnd) this.#endings.set(name, onEnd);
  }

  /** Carries out a viewer's call in its turn and answers it. */
  async answer(viewer: Viewer, call: Call): Promise<void> {
    const lane = this.#laneOf(viewer);
    if (!lane.enter(call.method)) {
      viewer.send({ type: 'answer', id: call.id, error: failureOf(tooManyCalls()) });
      return;
    }
    const admin = call.adminToken !== undefined && this.isAdmin(call.adminToken);
    if (admin) viewer.admin = true;
    try {
      const turn = lane.turn(call.method);
      if (turn !== true && !(await turn)) return;
      if (!isSessionMethod(call.method)) throw unknownMethod(call.method);
      const result = await this.perform(call.method, call.args, { viewer, admin });
      viewer.send({ type: 'answer', id: call.id, ...(result !== undefined && { result }) });
    } catch (error) {
      viewer.send({ type: 'answer', id: call.id, error: failureOf(error) });
    } finally {
      lane.leave(call.method);
    }
  }

  /** Carries out a call of a backend that holds the admin token, in its turn. Rejects as {@link perform}. */
  async ofBackend(method: SessionMethod, args: readonly unknown[]): Promise<unknown> {
    const lane = this.#backends;
    if (!lane.enter(method)) throw tooManyCalls();
    try {
      await lane.turn(method);
      return await this.perform(method, args, { viewer: undefined, admin: true });
    } finally {
      lane.leave(method);
    }
  }

  /** Carries out a method with arguments that are not trusted. Rejects with {@link CallError}, and as its handler does. */
  async perform(method: SessionMethod, args: readonly unknown[], caller: Caller): Promise<unknown> {
    const handler = this.#handlers.get(method);
    if (!handler) throw unknownMethod(method);
    return await handler(args, caller);
  }

  /** Whether any viewer has subscribed to the event. */
  hasSubscribers(name: SessionEvent): boolean {
    return (this.#subscribers.get(name)?.size ?? 0) > 0;
  }

  /** Tells an event to those who have subscribed to it and still may, by default all of them; to how many. */
  publish<Event extends SessionEvent>(
    name: Event,
    args: SessionEvents[Event],
    isFor: (viewer: Viewer) => boolean = () => true,
  ): number {
    const viewers = [...(this.#subscribers.get(name) ?? [])].filter(isFor);
    for (const viewer of viewers) viewer.send({ type: 'event', name, args });
    return viewers.length;
  }

  /** The viewer has left. */
  forget(viewer: Viewer): void {
    for (const name of this.#subscribers.keys()) this.#unsubscribe(name, viewer);
    this.#lanes.get(viewer)?.close();
    this.#lanes.delete(viewer);
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
    const viewers = this.#subscribers.get(name) ?? new Set();
    this.#subscribers.set(name, viewers);
    if (caller.viewer) viewers.add(caller.viewer);
    try {
      await ready;
    } catch (error) {
      if (caller.viewer) viewers.delete(caller.viewer);
      throw error;
    }
  }
}

function tooManyCalls(): CallError {
  const message = `At most ${MAX_OPEN_CALLS} calls at once. Await some first.`;
  return new CallError('err_too_many_calls', message);
}

function unknownMethod(method: string): CallError {
  return new CallError('err_unknown_method', `There is no method ${method}.`);
}

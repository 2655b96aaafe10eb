import { SUBSCRIBE, UNSUBSCRIBE, type Call, type CallFailure } from 'cloud-browser/protocol';
import type { Viewer } from '../viewer.js';

/** Calls that one viewer may have under way. */
const MAX_OPEN = 32;

/** A call that is refused, or fails in a way that the caller is to know. */
export class CallError extends Error {
  /** @param code stable, `err_…` */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'CallError';
  }
}

/** The browser ended, and is being started again. */
export function browserUnavailable(): CallError {
  return new CallError(
    'err_browser_unavailable',
    'The browser is being started again. Try again in a moment.',
  );
}

/** Who calls. Without a viewer it is the service, on behalf of whoever holds the admin token. */
export interface Caller {
  viewer: Viewer | undefined;
  /** Holds the session's admin token. */
  admin: boolean;
}

/** Carries out a method; what it throws is told to the caller. Every handler checks its arguments and the caller's rights. */
export type CallHandler = (args: unknown[], caller: Caller) => unknown;

/**
 * Decides about a subscription: throws {@link CallError} to refuse, at once. What has to be made ready first is a promise; the
 * subscription is answered when it settles.
 */
export type SubscriptionCheck = (caller: Caller) => void | Promise<void>;

/** The methods and events of a session: what viewers and the service can ask for beside input. */
export class Calls {
  readonly #handlers = new Map<string, CallHandler>();
  readonly #events = new Map<string, SubscriptionCheck>();
  readonly #subscribers = new Map<string, Set<Viewer>>();
  readonly #open = new Map<Viewer, number>();

  /** @param isAdmin whether a token is the session's admin token */
  constructor(private readonly isAdmin: (token: string) => boolean) {
    this.add(SUBSCRIBE, ([name], caller) => this.#subscribe(name, caller));
    this.add(UNSUBSCRIBE, ([name], { viewer }) => {
      if (viewer) this.#subscribers.get(String(name))?.delete(viewer);
    });
  }

  add(method: string, handler: CallHandler): void {
    this.#handlers.set(method, handler);
  }

  /** Makes an event known. */
  addEvent(name: string, check: SubscriptionCheck): void {
    this.#events.set(name, check);
  }

  /** Carries out a viewer's call and answers it. */
  async answer(viewer: Viewer, call: Call): Promise<void> {
    const open = this.#open.get(viewer) ?? 0;
    if (open >= MAX_OPEN) {
      const error = {
        code: 'err_too_many_calls',
        message: `At most ${MAX_OPEN} calls at once. Await some first.`,
      };
      viewer.send({ type: 'answer', id: call.id, error });
      return;
    }
    this.#open.set(viewer, open + 1);
    const admin = call.adminToken !== undefined && this.isAdmin(call.adminToken);
    if (admin) viewer.admin = true;
    try {
      const result = await this.perform(call.method, call.args, { viewer, admin });
      viewer.send({ type: 'answer', id: call.id, ...(result !== undefined && { result }) });
    } catch (error) {
      viewer.send({ type: 'answer', id: call.id, error: failureOf(error) });
    }
    const left = (this.#open.get(viewer) ?? 1) - 1;
    if (left > 0) this.#open.set(viewer, left);
    else this.#open.delete(viewer);
  }

  /** Carries out a method; rejects with what its handler throws, and with {@link CallError} when there is none. */
  async perform(method: string, args: unknown[], caller: Caller): Promise<unknown> {
    const handler = this.#handlers.get(method);
    if (!handler) throw new CallError('err_unknown_method', `There is no method ${method}.`);
    return await handler(args, caller);
  }

  /** Whether somebody would hear of it. */
  hasSubscribers(name: string): boolean {
    return (this.#subscribers.get(name)?.size ?? 0) > 0;
  }

  /** Tells an event to those who have subscribed to it and still may, by default all of them. */
  publish(name: string, args: unknown[], isFor: (viewer: Viewer) => boolean = () => true): void {
    for (const viewer of this.#subscribers.get(name) ?? []) {
      if (isFor(viewer)) viewer.send({ type: 'event', name, args });
    }
  }

  /** The viewer has left. */
  forget(viewer: Viewer): void {
    for (const viewers of this.#subscribers.values()) viewers.delete(viewer);
  }

  async #subscribe(name: unknown, caller: Caller): Promise<void> {
    const check = typeof name === 'string' ? this.#events.get(name) : undefined;
    if (!check || typeof name !== 'string')
      throw new CallError('err_unknown_event', `There is no event ${String(name)}.`);
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

/** What a caller is told of an error. */
export function failureOf(error: unknown): CallFailure {
  if (error instanceof CallError) return { code: error.code, message: error.message };
  return { code: 'err_call_failed', message: error instanceof Error ? error.message : String(error) };
}

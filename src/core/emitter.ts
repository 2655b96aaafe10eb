import { EventEmitter } from 'eventemitter3';

/** A listener as `eventemitter3` stores it. */
interface Stored<Listener> {
  readonly fn: Listener;
  readonly context: unknown;
  readonly once: boolean;
}

/**
 * An emitter for the listeners of applications. The error of a listener reaches neither the code that emits
 * nor the other listeners.
 */
export class Emitter<Events extends object> extends EventEmitter<Events> {
  override emit<Name extends EventEmitter.EventNames<Events>>(
    name: Name,
    ...args: EventEmitter.EventArgs<Events, Name>
  ): boolean {
    // The library has no public way to read the context of a listener.
    type Listener = Stored<EventEmitter.EventListener<Events, Name>>;
    const { _events } = this as unknown as { _events: Partial<Record<Name, Listener | Listener[]>> };
    const listeners = [_events[name] ?? []].flat();
    for (const { fn, context, once } of listeners) {
      if (once) this.off(name, fn, undefined, true);
      tell(() => fn.apply(context, args));
    }
    return listeners.length > 0;
  }
}

/**
 * Calls a listener of an application. Its error is reported as an uncaught error, as browsers report errors
 * of DOM listeners.
 */
export function tell(call: () => void): void {
  try {
    call();
  } catch (error) {
    // Node has no `reportError`.
    queueMicrotask(() => {
      throw error;
    });
  }
}

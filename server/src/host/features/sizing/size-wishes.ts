import type { Size } from '../../../platform/screen-size.js';

/** Viewer that requests a size. Undefined: a backend. */
export type Wisher = { readonly gone: boolean; readonly user: object } | undefined;

/** A caller that waits for the result of its request. */
export interface SizeCaller {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A requested size of the screen. Without a size it requests another pixel ratio at the current size. */
export interface Wish {
  readonly wisher: Wisher;
  readonly size: Size | undefined;
  readonly callers: readonly SizeCaller[];
}

/** Newest request of each requester, oldest first. */
export class SizeWishes {
  #wishes: Wish[] = [];

  /**
   * Replaces the request of this requester. Settles with this request, or with a later one of any requester.
   */
  add(size: Size | undefined, wisher: Wisher): Promise<void> {
    return new Promise((resolve, reject) => {
      const before = this.#wishes.find((wish) => wish.wisher === wisher);
      const callers = [...(before?.callers ?? []), { resolve, reject }];
      this.#wishes = [...this.#wishes.filter((wish) => wish !== before), { wisher, size, callers }];
    });
  }

  /** Requests of connected viewers and of backends. Drops the requests of viewers that have left. */
  get present(): readonly Wish[] {
    for (const wish of this.#wishes) if (wish.wisher?.gone) settle(wish.callers);
    this.#wishes = this.#wishes.filter(({ wisher }) => !wisher?.gone);
    return this.#wishes;
  }

  /**
   * Removes a request and all older ones, which it replaces. Returns the callers that wait for the result.
   */
  take(chosen: Wish): readonly SizeCaller[] {
    const count = this.#wishes.indexOf(chosen) + 1;
    return this.#wishes.splice(0, count).flatMap(({ callers }) => callers);
  }

  /** Drops all requests. */
  clear(): void {
    for (const { callers } of this.#wishes.splice(0)) settle(callers);
  }
}

/** Settles the promises of callers. They resolve unless there is a failure. */
export function settle(callers: readonly SizeCaller[], failure?: { error: unknown }): void {
  for (const { resolve, reject } of callers) {
    if (failure) reject(failure.error);
    else resolve();
  }
}

import type { Size } from '../../../platform/screen-size.js';

/** Viewer that requests a size. Undefined if a backend requests the size. */
export type Requester = { readonly gone: boolean; readonly user: object } | undefined;

/** A caller that waits for the result of its request. */
export interface SizeCaller {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A requested size of the screen. If `size` is undefined, the request changes only the pixel ratio. */
export interface SizeRequest {
  readonly requester: Requester;
  readonly size: Size | undefined;
  readonly callers: readonly SizeCaller[];
}

/** The newest request of each requester, sorted by time, oldest first. */
export class SizeRequests {
  #requests: SizeRequest[] = [];

  /**
   * Adds a request. It replaces the earlier request of the same requester. The promise settles when this
   * request is carried out or dropped, or when a later request of any requester is carried out instead.
   */
  add(size: Size | undefined, requester: Requester): Promise<void> {
    return new Promise((resolve, reject) => {
      const before = this.#requests.find((request) => request.requester === requester);
      const callers = [...(before?.callers ?? []), { resolve, reject }];
      this.#requests = [
        ...this.#requests.filter((request) => request !== before),
        { requester, size, callers },
      ];
    });
  }

  /** Requests of connected viewers and of backends. Drops the requests of viewers that have left. */
  get present(): readonly SizeRequest[] {
    for (const request of this.#requests) if (request.requester?.gone) settle(request.callers);
    this.#requests = this.#requests.filter(({ requester }) => !requester?.gone);
    return this.#requests;
  }

  /**
   * Removes a request and all older ones, which it replaces. Returns the callers that wait for the result.
   */
  take(chosen: SizeRequest): readonly SizeCaller[] {
    const count = this.#requests.indexOf(chosen) + 1;
    return this.#requests.splice(0, count).flatMap(({ callers }) => callers);
  }

  /** Drops all requests and resolves the promises of their callers. */
  clear(): void {
    for (const { callers } of this.#requests.splice(0)) settle(callers);
  }
}

/** Rejects the promises of callers if there is a failure. Otherwise resolves them. */
export function settle(callers: readonly SizeCaller[], failure?: { error: unknown }): void {
  for (const { resolve, reject } of callers) {
    if (failure) reject(failure.error);
    else resolve();
  }
}

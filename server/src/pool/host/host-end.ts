import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import type { FromHost } from '../../host-protocol.js';
import type { SessionGroup } from '../groups/session-group.js';

/** Reason and message of a host's end. */
export type HostEnd = Omit<Extract<FromHost, { type: 'ended' }>, 'type'>;

/**
 * Finds the reason of a host's end: the host's own report, a missing answer, the pool's request or a lack of
 * memory.
 */
export class HostEndCause {
  #end: HostEnd | undefined;
  #stopReason: ServerDisconnectReason | undefined;

  constructor(private readonly group: Pick<SessionGroup, 'ranOutOfMemory'>) {}

  /** True if the pool has requested the end. */
  get requested(): boolean {
    return this.#stopReason !== undefined;
  }

  /** Records that the pool requests the end. Further calls do not change the reason. */
  request(reason: ServerDisconnectReason): void {
    this.#stopReason ??= reason;
  }

  /**
   * Records the end that the host has reported. If the browser crashed and the kernel had no memory left for
   * the session, the reason is the lack of memory.
   */
  report({ reason, message }: HostEnd): void {
    const lackedMemory = reason === 'crashed' && this.group.ranOutOfMemory;
    this.#end = { reason: lackedMemory ? 'resource_limit' : reason, message };
  }

  /** Records that the host does not answer and is killed. */
  hang(milliseconds: number): void {
    const message = `The session host did not answer for ${Math.round(milliseconds / 1000)} s.`;
    this.#end ??= { reason: this.#stopReason ?? 'crashed', message };
  }

  /** Returns the known cause. Undefined if the process ended unexpectedly. */
  find(): HostEnd | undefined {
    if (this.#end) return this.#end;
    if (this.#stopReason) return { reason: this.#stopReason, message: 'The session host was stopped.' };
    if (this.group.ranOutOfMemory)
      return { reason: 'resource_limit', message: 'The session host had no memory left.' };
    return undefined;
  }
}

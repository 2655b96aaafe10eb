import { pause, type Clock } from '../platform/clock.js';
import { CodedError } from '../platform/coded-error.js';
import { NameHeldError } from './node-store.js';

/** Pause between two attempts to get a name that another process holds, and extra time for a late attempt. */
const NAME_RETRY_MS = 1_000;
const NAME_MARGIN_MS = 2_000;

/** Another process runs under the name of the node, elsewhere. A restart does not help. */
export class NameTakenError extends CodedError {
  readonly code = 'err_node_name_taken';

  constructor(name: string, url: string) {
    super(
      `Another process runs as the node ${name}, at ${url}: on another machine, or with another STATE_DIR. Set NODE_NAME to a name of its own for each, or stop the other process first.`,
    );
  }
}

/**
 * Joins. If the name is held, waits as long as an ended process could still hold it. If the lease is renewed
 * in that time, a running process holds the name. Then rejects with {@link NameTakenError}.
 */
export async function joinWhenFree<Result>(
  { clock, name }: { clock: Clock; name: string },
  join: () => Promise<Result>,
): Promise<Result> {
  let until: number | undefined;
  for (;;) {
    try {
      return await join();
    } catch (error) {
      if (!(error instanceof NameHeldError)) throw error;
      until ??= clock.now() + error.lateIn + NAME_MARGIN_MS;
      if (clock.now() >= until) throw new NameTakenError(name, error.url);
      await pause(clock, NAME_RETRY_MS);
    }
  }
}

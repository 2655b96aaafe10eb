import { pause, type Clock } from '../../platform/time/clock.js';
import { CodedError } from '../../platform/coded-error.js';
import { NameHeldError } from './node-store.js';

/** Milliseconds between two attempts to get a name that another process uses. */
const NAME_RETRY_MS = 1_000;
/** Milliseconds to wait after the time at which the other process's lease becomes late. */
const NAME_MARGIN_MS = 2_000;

/** A process on another machine or with another home uses the name of this node. A restart does not help. */
export class NameTakenError extends CodedError {
  readonly code = 'err_node_name_taken';

  constructor(name: string, url: string) {
    super(
      `Another process runs as the node ${name}, at ${url}: on another machine or with another STATE_DIR. Set NODE_NAME to a different name for each process, or stop the other process first.`,
    );
  }
}

/**
 * Calls `join`. While another process uses the name, repeats the call until that process's lease would be
 * late without a renewal. If the name is still in use at that time, the other process has renewed its lease,
 * so it is alive. Then rejects with {@link NameTakenError}.
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

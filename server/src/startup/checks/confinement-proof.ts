import { proveSandboxAt } from '../../host/startup-proof.js';
import { CodedError } from '../../platform/coded-error.js';
import type { Log } from '../../platform/log.js';
import type { Places } from '../../pool/places.js';
import { proveEgress, type ProvenEgress } from './egress-proof.js';

/**
 * The sandbox could not be checked, because no place is free for the check. A place is the directory and the
 * user id of one session. Without the check, the service does not start.
 */
export class NoFreePlaceError extends CodedError {
  readonly code = 'err_no_free_place';

  constructor() {
    super(
      'The service does not start: all places of sessions are in use, so it cannot check its sandbox. ' +
        'Each place has a directory in RUNTIME_DIR and, as root, a user id from SESSION_UID_BASE. ' +
        'Stop the programs that use them, or change these variables.',
    );
  }
}

/**
 * Proves that the sandbox confines the pages of hosted browsers, and that these pages cannot reach this
 * machine. Both checks use the same place (directory and user id), which no session uses. Rejects with
 * {@link NoFreePlaceError}, `UnsafeBrowserError`, `OpenNetworkError` or `NetworkProofTimeout`.
 */
export async function proveConfinement(
  places: Pick<Places, 'take' | 'release' | 'abandon'>,
  egress: ProvenEgress,
  log: Log,
): Promise<void> {
  const place = await places.take();
  if (!place) throw new NoFreePlaceError();
  try {
    await Promise.all([proveSandboxAt(place), proveEgress(egress, place)]);
  } finally {
    // A failed cleanup says nothing about the sandbox, so the service still starts. The next start cleans the
    // place.
    await places.release(place).catch((error: unknown) => {
      log.error('a place could not be cleaned', { directory: place.directory, error });
      places.abandon(place);
    });
  }
}

import { databaseAway, ServiceError } from '../../service-error.js';

/** State from which {@link requireReady} decides if a machine may begin sessions. */
export interface ReadinessState {
  /** True while the service shuts down. */
  closing: boolean;
  /** Database of several machines. Undefined if there is only one machine. */
  database: { readonly available: boolean } | undefined;
  /** True if records can be written. */
  writes: boolean;
  /** True if a profile waits to be saved. */
  unsaved: boolean;
  /** True if sessions start on this machine. */
  starts: boolean;
}

/**
 * Throws a `ServiceError` if no session can start now, or if the record of a session cannot be written.
 *
 * @param where `here`: on this machine; `anywhere`: on any machine of the service
 */
export function requireReady(state: ReadinessState, where: 'here' | 'anywhere'): void {
  const { closing, database, writes, unsaved, starts } = state;
  if (closing) throw new ServiceError('err_unavailable');
  if (database && !(database.available && writes)) throw databaseAway();
  if (!writes || unsaved) throw new ServiceError('err_storage');
  if (!starts && (where === 'here' || !database)) throw new ServiceError('err_cannot_start');
}

import type { DisconnectReason } from '../protocol/index.js';
import type { DisconnectType } from './messages.js';

const TYPES: Partial<Record<DisconnectReason, DisconnectType>> = {
  request: 'request',
  inactive: 'inactive',
  absolute: 'absolute',
  kicked: 'kicked',
  unauthorized: 'unauthorized',
};

/** Our reason in the words of the public client, which has fewer. */
export function disconnectType(reason: DisconnectReason): DisconnectType {
  return TYPES[reason] ?? 'unknown';
}

import type { LastHeartbeat } from '../ports.js';
import type { SessionRecord } from './session-record.js';

/** Message in the record of a session whose service was killed. */
export const KILLED_MESSAGE = 'The service stopped while the session was running.';

/**
 * Adds the end to the record of a session whose service was killed. The session counts as running until the
 * last heartbeat of the service, and later time is not billed. If the session was created after that
 * heartbeat, its duration is 0.
 */
export function endedByKill(record: SessionRecord, lastAlive: LastHeartbeat): SessionRecord {
  const { begun, createdAt } = record;
  const { date, moment } = lastAlive;
  const calendar = (date.getTime() - Date.parse(createdAt)) / 1000;
  const counted = begun && moment?.run === begun.run ? (moment.at - begun.at) / 1000 : calendar;
  const seconds = Math.max(0, counted);
  return {
    ...record,
    ended: {
      at: new Date(Date.parse(createdAt) + seconds * 1000).toISOString(),
      seconds,
      reason: 'crashed',
      message: KILLED_MESSAGE,
    },
  };
}

/**
 * Adds the end to the record of a session that no caller has received. The session gets the duration 0.
 * `message`: the reason, as a sentence.
 */
export function unbegun(record: SessionRecord, message: string): SessionRecord {
  const { createdAt } = record;
  return { ...record, ended: { at: createdAt, seconds: 0, reason: 'crashed', message } };
}

import type { SignOfLife } from './ports.js';
import type { SessionRecord } from './session-record.js';

/**
 * The record of a session that a killed service left behind, ended. It ran at least until it was recorded, and at most until the
 * service was last seen: nobody pays for the rest.
 */
export function endedByKill(record: SessionRecord, lastAlive: SignOfLife): SessionRecord {
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
      message: 'The service stopped while the session was running.',
    },
  };
}

/** The record of a session that was not given out, because it could not be recorded. */
export function unbegun(record: SessionRecord): SessionRecord {
  const { createdAt } = record;
  const message = 'The session could not be recorded.';
  return { ...record, ended: { at: createdAt, seconds: 0, reason: 'crashed', message } };
}

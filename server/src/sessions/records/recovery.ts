import type { LastHeartbeat } from '../ports.js';
import type { SessionRecord } from './session-record.js';

/**
 * Returns the ended record of a session of a killed service. The session counts as running until the last
 * heartbeat. If the session was created after that, its duration is 0. Later time is not billed.
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
      message: 'The service stopped while the session was running.',
    },
  };
}

/**
 * Returns the ended record of a session that no caller received. Its duration is 0. `message`: the reason, as
 * a sentence.
 */
export function unbegun(record: SessionRecord, message: string): SessionRecord {
  const { createdAt } = record;
  return { ...record, ended: { at: createdAt, seconds: 0, reason: 'crashed', message } };
}

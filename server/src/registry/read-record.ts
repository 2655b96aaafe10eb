import type { SessionRecord } from '../sessions/records/session-record.js';
import { DEFAULT_SETTINGS } from '../sessions/settings/default-settings.js';
import { parseJson } from '../platform/parse-json.js';

/**
 * Reads a record from JSON. Returns undefined if the text is not a record. Checks only the required fields,
 * because the service itself wrote the text. Settings that are missing in records of older versions get their
 * defaults.
 */
export function readRecord(text: string): SessionRecord | undefined {
  const value = parseJson(text) as Partial<SessionRecord> | null | undefined;
  const complete = typeof value?.id === 'string' && typeof value.generation === 'number' && !!value.settings;
  if (!complete) return undefined;
  const record = value as SessionRecord;
  return { ...record, settings: { ...DEFAULT_SETTINGS, ...record.settings } };
}

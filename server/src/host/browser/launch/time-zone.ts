import { readFile } from 'node:fs/promises';

/**
 * Debian's table of time zones, part of tzdata. Columns, separated by tabs: country code, coordinates, zone
 * and an optional comment.
 */
const ZONE_TABLE = '/usr/share/zoneinfo/zone.tab';
/** Two moments, in winter and in summer. Zones with the same offsets at both moments are treated as equal. */
const MOMENTS = [0, 6].map((month) => new Date(Date.UTC(new Date().getUTCFullYear(), month, 15)));

/**
 * Returns the time zone of a country, such as `Europe/Berlin`. Undefined if the country is unknown, or if it
 * may have more than one time zone.
 */
export async function timeZoneOf(country: string): Promise<string | undefined> {
  const table = await readFile(ZONE_TABLE, 'utf8').catch(() => '');
  const zones = table
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([code]) => code === country)
    .flatMap(([, , zone]) => zone ?? []);
  const times = new Set(zones.map(clockOf));
  return times.size === 1 && !times.has(undefined) ? zones[0] : undefined;
}

/**
 * Returns the times of a zone at {@link MOMENTS}. Undefined if the zone is newer than the time zones of this
 * version of Node.
 */
function clockOf(timeZone: string): string | undefined {
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    return MOMENTS.map((moment) => format.format(moment)).join();
  } catch {
    return undefined;
  }
}

import type { SessionRecord } from './session-record.js';

/**
 * Seconds for which sessions ran, by tenant and then by month in UTC (`2030-01`). The key for sessions
 * without a tenant is ''.
 */
export type Usage = ReadonlyMap<string, Months>;

/** Seconds by month in UTC (`2030-01`). */
export type Months = ReadonlyMap<string, number>;

/** A month of usage as the public API shows it. */
export interface MonthlyUsage {
  /** Beginning of the month in UTC, RFC 3339: `2030-01-01T00:00:00Z`. */
  date: string;
  /** Whole seconds. */
  seconds: number;
}

/** The part of a session's state that determines the usage. */
export interface SessionUse {
  record: Pick<SessionRecord, 'settings' | 'createdAt'>;
  /** Duration on the monotonic clock. The date of the creation only assigns this duration to months. */
  seconds: number;
}

/** Returns the usage of sessions. */
export function usageOf(uses: Iterable<SessionUse>): Usage {
  const usage = new Map<string, Map<string, number>>();
  for (const { record, seconds: lasted } of uses) {
    const { settings, createdAt } = record;
    const tenant = settings.tenantId ?? '';
    const months = usage.get(tenant) ?? new Map<string, number>();
    usage.set(tenant, months);
    const start = Date.parse(createdAt);
    for (const [month, seconds] of splitByMonth(start, start + lasted * 1000)) {
      months.set(month, (months.get(month) ?? 0) + seconds);
    }
  }
  return usage;
}

/** Returns the sum of usages. */
export function sumUsage(...usages: Usage[]): Usage {
  const sum = new Map<string, Months>();
  for (const usage of usages) {
    for (const [tenant, months] of usage) sum.set(tenant, sumMonths(sum.get(tenant) ?? new Map(), months));
  }
  return sum;
}

/** Returns the usage by month of one tenant, or of all tenants together. */
export function monthsOf(usage: Usage, tenantId: string | undefined): Months {
  return tenantId === undefined ? sumMonths(...usage.values()) : (usage.get(tenantId) ?? new Map());
}

/** Returns the sum of several usages by month. */
export function sumMonths(...parts: Months[]): Months {
  const sum = new Map<string, number>();
  for (const part of parts) {
    for (const [month, seconds] of part) sum.set(month, (sum.get(month) ?? 0) + seconds);
  }
  return sum;
}

/** Returns the usage by month in the form of the public API, newest month first. */
export function usageByMonth(months: Months): MonthlyUsage[] {
  return [...months]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([month, seconds]) => ({ date: `${month}-01T00:00:00Z`, seconds: Math.round(seconds) }));
}

/** Splits a period at the turn of each month. Takes milliseconds since 1970, yields seconds. */
function* splitByMonth(from: number, to: number): Iterable<[month: string, seconds: number]> {
  for (let start = from; start < to;) {
    const date = new Date(start);
    const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    const end = Math.min(next, to);
    yield [date.toISOString().slice(0, 7), (end - start) / 1000];
    start = end;
  }
}

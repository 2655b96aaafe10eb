import type { Service } from './service.js';
import { until } from './until.js';

/** The service's metrics of warm browsers. */
export interface WarmBrowserMetrics {
  /** Warm browsers that are ready now. */
  ready: number;
  /** Age of the oldest warm browser in seconds. */
  age: number;
  hits: number;
  /** Misses by reason. */
  misses: Record<string, number>;
}

/** Time limit for warm browsers on a machine that is busy with other tests, in milliseconds. */
const READY_TIMEOUT_MS = 60_000;

/** Reads a service's metrics. */
export async function warmBrowserMetrics(service: Pick<Service, 'url' | 'key'>): Promise<WarmBrowserMetrics> {
  const headers = { authorization: `Bearer ${service.key}` };
  const text = await (await fetch(`${service.url}/metrics`, { headers })).text();
  const value = (name: string) =>
    Number(new RegExp(`^cloud_browser_${name} (.*)$`, 'm').exec(text)?.[1] ?? 0);
  const misses = [...text.matchAll(/^cloud_browser_spare_misses_total\{reason="(\w+)"\} (\d+)$/gm)];
  return {
    ready: value('spares'),
    age: value('spare_age_seconds'),
    hits: value('spare_hits_total'),
    misses: Object.fromEntries(misses.map(([, reason = '', count]) => [reason, Number(count)])),
  };
}

/** Resolves when this many warm browsers are ready. */
export async function warmBrowsersReady(service: Pick<Service, 'url' | 'key'>, count = 1): Promise<void> {
  const enough = async () => (await warmBrowserMetrics(service)).ready >= count;
  await until(`${count} browsers wait`, enough, READY_TIMEOUT_MS);
}

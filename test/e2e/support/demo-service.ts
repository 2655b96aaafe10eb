import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Service } from './service.js';

/** Pictures of the demo's pages, for people to look at. */
export const SCREENSHOTS = fileURLToPath(new URL('../../../.build/screenshots/', import.meta.url));

/**
 * A service whose demo may create sessions: the operator set no API keys, so the service makes one for the
 * demo.
 */
export async function demoService(): Promise<Service> {
  await mkdir(SCREENSHOTS, { recursive: true });
  return Service.start({ API_KEYS: '' });
}

/** A page of the demo at an address that no browser has used yet, as the terminal shows it. */
export function demoAddress({ url, process: { logTail } }: Service, path = '/'): string {
  const fragment = [...logTail.matchAll(/#start=\S+/g)].at(-1)?.[0] ?? '';
  return `${url}${path}${fragment}`;
}

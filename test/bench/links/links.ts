import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { CongestionControl, LinkSpec } from './link.js';
import type { LinkResult } from './link-table.js';

/** Links that are measured by default: a fast one, a lossy one and a thin one. */
export const LINKS: readonly LinkSpec[] = [
  { roundTripMs: 40, loss: 0, megabits: 20 },
  { roundTripMs: 80, loss: 0.01, megabits: 8 },
  { roundTripMs: 200, loss: 0.005, megabits: 1.5 },
];

/** Ways to use this build over a link, beside one viewer without a proxy. */
export const WAYS = ['two-viewers', 'haproxy'] as const;
export type Way = (typeof WAYS)[number];

/** Options of {@link measureLinks}. */
export interface LinkOptions {
  links: readonly LinkSpec[];
  congestion: readonly CongestionControl[];
  rounds: number;
  /** Clicks, and seconds of scrolling, of one measurement. */
  clicks: number;
  seconds: number;
  /** The `cli.js` of other builds that take turns with this one. */
  against: readonly string[];
  /** More ways that are measured. */
  ways: readonly Way[];
  /** True if noVNC is measured as well. */
  vnc: boolean;
}

const PROGRAM = fileURLToPath(new URL('link-process.ts', import.meta.url));

/**
 * Measures targets over slow links, in turn. Everything runs in a network namespace of its own, so the
 * machine's own network and settings stay as they are. Needs root.
 */
export async function measureLinks(options: LinkOptions): Promise<LinkResult[]> {
  const command = ['--net', process.execPath, '--import', 'tsx', PROGRAM, JSON.stringify(options)];
  const child = spawn('unshare', command, { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  const results = text(child.stdio[3] as Readable);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The links were not measured (${code ?? 'killed'}). They need root.`);
  return JSON.parse(await results) as LinkResult[];
}

/** Reads a link from the command line: round trip in ms, loss in percent, and rate in Mbit/s. */
export function parseLink(text: string): LinkSpec {
  const [roundTripMs, loss, megabits, ...rest] = text.split('/').map(Number);
  const isValid = [roundTripMs, loss, megabits].every((value) => value !== undefined && value >= 0);
  if (!isValid || rest.length > 0 || !megabits)
    throw new Error(`--link must be like 80/1/8 (ms, %, Mbit/s), not "${text}".`);
  return { roundTripMs: roundTripMs ?? 0, loss: (loss ?? 0) / 100, megabits };
}

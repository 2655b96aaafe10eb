import { parseArgs } from 'node:util';
import { LINKS, parseLink, WAYS, type Way } from './links/links.js';
import type { CongestionControl, LinkSpec } from './links/link.js';

/** Targets in the order of the table. */
export const TARGET_NAMES = ['local', 'ours', 'vnc', 'screencast'] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

/**
 * Measurements: the targets, changes of the screen, the stages of a click, session starts, downloads through
 * the guard of hosted browsers, the hop between nodes, the resources of a session, the memory of running and
 * frozen sessions, noise and a film, the cost of a recording, seeks in a recording of three hours, clicks
 * beside a busy agent, and slow links without and with noVNC.
 */
const PARTS = [
  ...TARGET_NAMES,
  'changes',
  'stages',
  'starts',
  'egress',
  'hop',
  'sizing',
  'memory',
  'moving',
  'recording',
  'seeks',
  'agent',
  'links',
  'links-vnc',
] as const;

export interface BenchOptions {
  /** Number of measurements of every target. */
  rounds: number;
  /** Clicks of one measurement. */
  clicks: number;
  /** Seconds of scrolling of one measurement. 0: not measured. */
  seconds: number;
  /**
   * Number of sessions started one after the other in a round, for each kind of warm start. 0: not measured.
   */
  starts: number;
  only: readonly TargetName[];
  /** True if changes of the whole screen are measured. */
  changes: boolean;
  /** True if the stages of a click are measured. */
  stages: boolean;
  /** True if downloads are measured with and without the guard of hosted browsers. */
  egress: boolean;
  /** True if the way through another node is measured beside the direct one. */
  hop: boolean;
  /** True if processor time and memory of sessions with different pages are measured. */
  sizing: boolean;
  /** True if the memory of watched, left and frozen sessions is measured. */
  memory: boolean;
  /** True if a page of noise and a film are measured. */
  moving: boolean;
  /** True if sessions without and with a recording are measured. */
  recording: boolean;
  /** True if seeks in a long recording are measured. */
  seeks: boolean;
  /** True if clicks beside a busy agent are measured. */
  agent: boolean;
  /** Slow links that are measured; empty if they are not a part. */
  links: readonly LinkSpec[];
  /** True if noVNC is measured over the links as well. */
  linksVnc: boolean;
  congestion: readonly CongestionControl[];
  /** Ways to use this build over the links that are measured as well. */
  ways: readonly Way[];
  /** Other builds that take turns with this one in `changes`, seeks and over the links, as their `cli.js`. */
  against: readonly string[];
  /** File that also gets the figures as JSON. */
  json: string | undefined;
}

export const USAGE = `npm run bench -- [options]
  --rounds N    how often every target is measured (3)
  --clicks N    clicks of one measurement; in changes and stages, of each kind (40)
  --seconds N   seconds of scrolling of one measurement, 0: none (10)
  --starts N    sessions started one after the other in a round, with each that may wait (3)
  --only LIST   some of ${PARTS.join(',')} (all)
  --link LIST   slow links, each as round trip (ms)/loss (%)/rate (Mbit/s) (three links)
  --congestion LIST  cubic, bbr, or both (cubic,bbr)
  --with LIST        over the links also some of ${WAYS.join(',')} (none)
  --against LIST     the cli.js of other builds that take turns with this one in changes, seeks and links
  --json FILE   write the figures as JSON too`;

/**
 * Reads the command line. Returns undefined if it asks for help. Throws an error with a readable message if
 * it is invalid.
 */
export function parseOptions(args: readonly string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '3' },
      clicks: { type: 'string', default: '40' },
      seconds: { type: 'string', default: '10' },
      starts: { type: 'string', default: '3' },
      only: { type: 'string', default: PARTS.join(',') },
      link: { type: 'string' },
      congestion: { type: 'string', default: 'cubic,bbr' },
      with: { type: 'string', default: '' },
      against: { type: 'string', default: '' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const parts = values.only.split(',').map(partName);
  const overLinks = parts.includes('links') || parts.includes('links-vnc');
  return {
    rounds: count('rounds', values.rounds, 1),
    clicks: count('clicks', values.clicks, 5),
    seconds: count('seconds', values.seconds, 0),
    starts: parts.includes('starts') ? count('starts', values.starts, 1) : 0,
    only: TARGET_NAMES.filter((name) => parts.includes(name)),
    changes: parts.includes('changes'),
    stages: parts.includes('stages'),
    egress: parts.includes('egress'),
    hop: parts.includes('hop'),
    sizing: parts.includes('sizing'),
    memory: parts.includes('memory'),
    moving: parts.includes('moving'),
    recording: parts.includes('recording'),
    seeks: parts.includes('seeks'),
    agent: parts.includes('agent'),
    links: overLinks ? (values.link?.split(',').map(parseLink) ?? LINKS) : [],
    linksVnc: parts.includes('links-vnc'),
    congestion: values.congestion.split(',').map(congestionName),
    ways: listOf(values.with).map(wayName),
    against: listOf(values.against),
    json: values.json,
  };
}

function count(name: string, text: string, lowest: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= lowest) return value;
  throw new Error(`--${name} must be a whole number, at least ${lowest}.`);
}

function partName(text: string): (typeof PARTS)[number] {
  const name = PARTS.find((known) => known === text);
  if (name === undefined) throw new Error(`--only knows ${PARTS.join(', ')}, not "${text}".`);
  return name;
}

const listOf = (text: string): string[] => text.split(',').filter((part) => part !== '');

function wayName(text: string): Way {
  const name = WAYS.find((known) => known === text);
  if (name === undefined) throw new Error(`--with knows ${WAYS.join(' and ')}, not "${text}".`);
  return name;
}

function congestionName(text: string): CongestionControl {
  if (text === 'cubic' || text === 'bbr') return text;
  throw new Error(`--congestion knows cubic and bbr, not "${text}".`);
}

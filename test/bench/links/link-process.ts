/**
 * Measures links in a network namespace of its own: `link-process.ts OPTIONS`, with the options as JSON.
 * Writes the results as JSON to descriptor 3.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { PageServer } from '../page-server.js';
import { behindHaproxy } from '../targets/behind-haproxy.js';
import { build, ours } from '../targets/ours.js';
import { vnc } from '../targets/vnc.js';
import { measureLink, type LinkTarget } from './link-probe.js';
import type { LinkResult } from './link-table.js';
import type { LinkOptions, Way } from './links.js';

const options = JSON.parse(process.argv[2] ?? '') as LinkOptions;
execFileSync('ip', ['link', 'set', 'lo', 'up']);
const pages = await PageServer.start();
const addresses = { click: pages.address('click'), scroll: pages.address('scroll') };
const ways: Record<Way, LinkTarget> = {
  'two-viewers': { ...ours, title: 'cloud-browser, two viewers', hasSecondViewer: true },
  haproxy: behindHaproxy,
};
const targets: LinkTarget[] = [
  ours,
  ...options.ways.map((way) => ways[way]),
  ...options.against.map((cli) => build(`cloud-browser, ${cli}`, cli)),
  ...(options.vnc ? [vnc] : []),
];
const results: LinkResult[] = [];

for (const link of options.links) {
  for (const congestion of options.congestion) {
    const each = targets.map(({ title }): LinkResult => {
      const lists = { clicks: [], kilobytesBefore: [], kilobytesPerClick: [], recoveries: [], failures: [] };
      const scrolling = { framesPerSecond: [], longestGap: [], megabits: [] };
      return { link, congestion, title, lostClicks: 0, ...lists, ...scrolling };
    });
    results.push(...each);
    for (let round = 0; round < options.rounds; round++) {
      for (const [index, target] of targets.entries()) {
        const result = each[index];
        if (!result) continue;
        const what = `${link.roundTripMs} ms, ${link.loss * 100} %, ${link.megabits} Mbit/s, ${congestion}`;
        process.stderr.write(`${target.title}: ${what} … `);
        try {
          await measureLink(target, result, addresses, options);
          process.stderr.write('done\n');
        } catch (error) {
          const sentence = error instanceof Error ? error.message : String(error);
          result.failures.push(sentence);
          process.stderr.write(`failed: ${sentence}\n`);
        }
      }
    }
  }
}
await pages.close();
writeFileSync(3, JSON.stringify(results));

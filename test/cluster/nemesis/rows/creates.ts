import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { checkHistory } from '../../../support/history.js';
import type { Fault } from '../fault.js';
import type { Stage } from '../stage.js';

const CREATES = 400;
const TAGS = 5;
/** Customers who ask at the same time. */
const LANES = 20;
const AGAIN_MS = 300;

/**
 * Many clients create sessions for few tags through all nodes. One node is killed meanwhile. This repeats.
 */
export function manyCreates(times: number): Fault {
  return {
    name: `${CREATES} creates over ${TAGS} tags, and a node is killed in the middle, ${times} times`,
    seconds: times * 20,
    async run(stage) {
      let sessions = 0;
      let killed = 0;
      for (let time = 0; time < times; time++) {
        const { began, lost } = await once(stage, time);
        sessions += began;
        killed += lost;
      }
      return {
        became:
          'Each tag has one session at a time. No session that a caller received is lost, except with its node.',
        figures: [
          { what: 'sessions begun', seen: sessions, unit: '' },
          { what: 'ended with their node', seen: killed, unit: '' },
        ],
      };
    },
  };
}

async function once(stage: Stage, time: number): Promise<{ began: number; lost: number }> {
  const { history } = stage;
  const victim = stage.at(time % stage.nodes.length);
  const of = (tag: string | null) => tag?.startsWith(`time-${time}-`) ?? false;
  stage.strike(victim);
  const urls = stage.nodes.map(({ url }) => url);
  const killAt = Math.floor(CREATES * (0.3 + 0.4 * Math.random()));
  let asked = 0;
  let restarted: Promise<void> | undefined;
  const lane = async () => {
    while (asked < CREATES) {
      const nth = asked++;
      if (nth === killAt) restarted = victim.kill().then(() => victim.start());
      const tag = `time-${time}-${Math.floor(Math.random() * TAGS)}`;
      const { session } = await history.create(urls[nth % urls.length] ?? '', { tag });
      // A refused customer asks again later, so some ask after the node is back.
      if (!session) await pause(AGAIN_MS);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await restarted;
  const lives = (await stage.lives()).filter(({ tag }) => of(tag));
  const operations = history.operations.filter(({ tag }) => of(tag));
  assert.ok(operations.some(({ outcome }) => outcome === 'ok'));
  const ofVictim = ({ id }: { id: string }) => stage.ownerOf(id) === victim;
  assert.deepEqual(
    checkHistory(
      operations,
      lives.map((life) => ({ ...life, explained: ofVictim(life) })),
    ),
    [],
  );
  for (const { id, until } of lives) if (until === Infinity) await history.end(victim.url, id);
  return { began: lives.length, lost: lives.filter(({ until }) => until !== Infinity).length };
}

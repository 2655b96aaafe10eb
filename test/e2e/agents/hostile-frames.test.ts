import { setTimeout as pass } from 'node:timers/promises';
import { hold } from '../../support/limits.js';
import { ATTACKS, AttackedSession } from '../support/attacked-session.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';

cleanUpAtEnd();
/** Time of each kind of attack, and of the quiet before and after it, in milliseconds. */
const PERIOD_MS = 4_000;

test.describe('a viewer', { tag: ['@timing', '@alone'] }, () => {
  test('keeps its frames while hostile programs attack the session', async ({ pages }) => {
    test.setTimeout(180_000);
    const attacked = await AttackedSession.start(pages);
    const total = { quiet: { frames: 0, ms: 0 }, attack: { frames: 0, ms: 0 } };
    const count = (kind: 'quiet' | 'attack', period: { from: number; to: number }) => {
      total[kind].frames += attacked.framesIn(period);
      total[kind].ms += period.to - period.from;
    };
    const rest = async () => {
      const from = performance.now();
      await pass(PERIOD_MS / 2);
      count('quiet', { from, to: performance.now() });
    };
    for (const kind of ATTACKS) {
      await rest();
      const before = { ...total.attack };
      const end = performance.now() + PERIOD_MS;
      let times = 0;
      for (; performance.now() < end; times++) count('attack', await attacked.attack(kind, PERIOD_MS));
      await rest();
      const rate = ((total.attack.frames - before.frames) / (total.attack.ms - before.ms)) * 1_000;
      note(`${kind}: ${times} attacks, ${rate.toFixed(1)} frames a second`);
    }
    const rateOf = ({ frames, ms }: { frames: number; ms: number }) => (frames / ms) * 1_000;
    const [quiet, attack] = [rateOf(total.quiet), rateOf(total.attack)];
    note(`${quiet.toFixed(1)} frames a second without attacks, ${attack.toFixed(1)} with them`);
    const share = (100 * attack) / quiet;
    hold('frames that a viewer keeps while programs attack', share, `of ${quiet.toFixed(1)} frames/s`);
  });
});

/**
 * Starts each browser's viewer repeatedly, in each way in turn, and prints the number of garbled pictures:
 * `node --import tsx test/crossbrowser/starts.ts [STARTS]`, after `npm run build`.
 */
import { BROWSERS, WAYS } from './support/browsers.js';
import { comesOut } from './support/shown.js';
import { Stage } from './support/stage.js';

const STARTS = Number(process.argv[2] ?? 20);

const stage = new Stage();
try {
  await stage.open();
  for (const [name, { open, tolerance }] of Object.entries(BROWSERS)) {
    const guest = await open(stage.env);
    let garbled = 0;
    try {
      for (let start = 0; start < STARTS; start++) {
        const [way, show] = Object.entries(WAYS)[start % Object.keys(WAYS).length] ?? [];
        await show?.(guest, stage.sharp.session, stage);
        await comesOut(guest, { tolerance, decibels: 45, text: stage.text }).catch((error: unknown) => {
          garbled++;
          console.log(`${name}, ${way}, start ${start + 1}: ${String(error)}`);
        });
      }
    } finally {
      await guest.close();
    }
    console.log(`${name}: ${STARTS} starts, ${garbled} garbled`);
  }
} finally {
  await stage.close();
}

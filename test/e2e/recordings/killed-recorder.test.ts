/** Other moments: KILLED_RECORDER_SEED=8 npx playwright test killed-recorder --no-deps */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packetsOf, probeWarnings } from '../../support/read-video.js';
import { seeded } from '../../support/seeded.js';
import { onlyProcess, SESSION_HOST } from '../support/processes.js';
import { countsIn, STEPS_PER_SECOND } from '../support/recorded-counter.js';
import { RecordingService } from '../support/recording-service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 640, height: 480 };
/** Kills of each part. */
const MOMENTS = 3;
/** Seconds that a page has counted before the kill: at least, and at most in addition. */
const [SHORTEST, MORE] = [3, 6];
/** Seconds at the end of a recording that a kill may cost. */
const LOST = 2;

let recordings: RecordingService;
test.beforeAll(async () => {
  recordings = await RecordingService.start();
});

const random = seeded(Number(process.env['KILLED_RECORDER_SEED'] ?? 7));

const KILLS = {
  'its host': async () => {
    process.kill(onlyProcess(recordings.service.pid, SESSION_HOST).pid, 'SIGKILL');
  },
  'the service': () => recordings.kill(),
};

for (const [part, kill] of Object.entries(KILLS))
  test(`a recording plays up to its last two seconds after ${part} was killed, at ${MOMENTS} moments`, async ({
    pages,
  }) => {
    for (let nth = 0; nth < MOMENTS; nth++) {
      const remote = pages.page('counter');
      const session = await recordings.service.create({
        ...{ start_url: remote.url, kiosk: true, record: true, ...SIZE },
      });
      await remote.loaded();
      const moment = (SHORTEST + random() * MORE) * STEPS_PER_SECOND;
      const last = await until('the moment of the kill has come', async () => {
        const count = Number(await remote.run('count'));
        return count >= moment && count;
      });
      await kill();
      const { id, end, seconds } = await recordings.completeRecordingOf(session);
      assert.equal(end, 'interrupted');
      const path = join(recordings.directory, id, 'video.mp4');
      const file = await readFile(path);
      assert.ok(['', undefined].includes(await probeWarnings(file)));
      const packet = (await packetsOf(file)).filter(({ codec }) => codec === 'video').at(-1);
      const played = (packet?.time ?? 0) + (packet?.duration ?? 0);
      assert.ok(Math.abs(played - seconds) < 0.1, `the video has ${played} of ${seconds} s`);
      const lost = (last - ((await countsIn(path)).at(-1)?.count ?? 0)) / STEPS_PER_SECOND;
      note(`${seconds.toFixed(1)} s are kept, the last ${lost.toFixed(2)} s are not`);
      assert.ok(lost <= LOST, `${lost} s are lost`);
      const events = await readFile(join(recordings.directory, id, 'events.jsonl'), 'utf8');
      for (const line of events.trimEnd().split('\n')) JSON.parse(line);
    }
  });

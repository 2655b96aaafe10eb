import assert from 'node:assert/strict';
import { descendants, onlyProcess, stillAlive, XORG, type ProcessInfo } from '../support/processes.js';
import { Service } from '../support/service.js';
import { cleanUpAtEnd, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
/** A size that a display prepared in advance does not have. */
const SIZE = { width: 641, height: 481 };

test.describe('a warm display', () => {
  let service: Service;
  let waiting: ProcessInfo;
  test.beforeEach(async () => {
    service = await Service.start({ WARM_HOSTS: '1' });
    const displays = () => descendants(service.pid).filter(({ command }) => XORG.test(command));
    await until('a display waits', () => displays().length === 1);
    waiting = onlyProcess(service.pid, XORG);
  });

  test('becomes the display of the next session, at the requested size', async ({ pages }) => {
    const page = pages.page('touch');
    const session = await service.create({ start_url: page.url, ...SIZE });
    await page.fills(SIZE);
    assert.ok(Number(await page.run('navigator.maxTouchPoints')) > 0, 'it can be touched');
    assert.deepEqual(await page.run('[screen.width, screen.height]'), [SIZE.width, SIZE.height]);
    assert.equal(stillAlive([waiting]).length, 1);
    await service.end(session);
    assert.equal(stillAlive([waiting]).length, 0);
  });

  test('that died does not stop the next session', async ({ pages }) => {
    process.kill(waiting.pid, 'SIGKILL');
    await until('it is gone', () => stillAlive([waiting]).length === 0);
    const page = pages.page('marker');
    const session = await service.create({ start_url: page.url, ...SIZE });
    await page.fills(SIZE);
    await service.end(session);
  });
});

import assert from 'node:assert/strict';
import { PNG } from 'pngjs';
import { psnr } from '../support/psnr.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
// Proves: quality.mode
test('quality is finer with sharp than with smooth, and coarser with blocky', async ({
  service,
  pages,
  browser,
  watch,
}) => {
  const size = { width: 1280, height: 720 };
  const local = await browser.newPage({ viewport: size });
  await local.goto(pages.page('text').url);
  const wanted = PNG.sync.read(await local.screenshot());
  await local.close();

  const ratios: number[] = [];
  for (const mode of ['blocky', 'smooth', 'sharp']) {
    const text = pages.page('text');
    const session = await service.create({ start_url: text.url, ...size, quality: { mode } });
    const viewer = await watch(session, { viewport: size });
    await text.loaded();
    await viewer.atRest();
    ratios.push(psnr(await viewer.picture(), wanted));
    await viewer.close();
    await service.end(session);
  }
  note(`blocky, smooth, sharp: ${ratios.map((ratio) => ratio.toFixed(1)).join(', ')} dB`);
  assert.deepEqual(
    [...ratios].sort((a, b) => a - b),
    ratios,
  );
  assert.equal(new Set(ratios).size, 3);
  assert.ok((ratios[2] ?? 0) >= 45, 'sharp has the colour of every pixel');
});

// Proves: draw
test('draw lets users draw on the page with a pen, and erase it again', async ({ show, watch }) => {
  const red = [229, 56, 59] as const;
  const { session } = await show('marker', { draw: true });
  const viewer = await watch(session);
  await viewer.atRest();
  const { mouse, keyboard } = viewer.page;
  const looksLike = async (wanted: readonly number[]) => {
    const { data, width } = await viewer.picture();
    const seen = [...data.subarray((300 * width + 600) * 4).subarray(0, 3)];
    return seen.every((part, index) => Math.abs(part - (wanted[index] ?? 0)) < 16);
  };
  assert.equal(await looksLike(red), false);
  // Choose the pen, the second tool in the middle of the lower edge; then draw a line of its largest width.
  await mouse.click(454, 681);
  await mouse.click(804, 681);
  await mouse.move(500, 300);
  await mouse.down();
  await mouse.move(700, 300, { steps: 20 });
  await mouse.up();
  await until('the line is there', () => looksLike(red));
  await keyboard.press('Control+z');
  await until('the line is gone', async () => !(await looksLike(red)));
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { PassingTime } from '../../../fakes/passing-time.js';
import { RelayedProgram } from '../../../fakes/relayed-program.js';

let time: PassingTime;
beforeEach(() => (time = new PassingTime()));
afterEach(() => time.restore());

describe('a picture of a page for a program', () => {
  const shot = async (clip: object, pixelRatio = 1): Promise<string> => {
    const program = await RelayedProgram.withPage();
    program.pixelRatio = pixelRatio;
    return program.refusal('Page.captureScreenshot', { clip, captureBeyondViewport: true }, 'A');
  };
  const clip = { x: 0, y: 0, width: 1_000, height: 1_000, scale: 1 };

  for (const huge of [
    { ...clip, width: 60_000, height: 60_000 },
    { ...clip, scale: 9 },
    { ...clip, width: 1, height: 1, scale: 5_000 },
    { ...clip, width: -60_000, height: -60_000 },
  ])
    it(`is refused if it would end the browser: ${JSON.stringify(huge)}`, async () => {
      assert.match(await shot(huge), /the picture is too large/);
    });

  it('may show a whole page, on a sharp screen less of it', async () => {
    const long = { ...clip, width: 1_920, height: 16_384 };
    assert.equal(await shot(long), 'nothing');
    assert.match(await shot(long, 2), /the picture is too large/);
    assert.equal(await shot(clip, 3), 'nothing');
    assert.equal(await shot({ ...clip, scale: 8 }), 'nothing');
  });

  it('is refused if it would show a whole page that is too large', async () => {
    const program = await RelayedProgram.withPage();
    const whole = (params: object) =>
      program.refusal('Page.captureScreenshot', { captureBeyondViewport: true, ...params }, 'A');
    const pageOf = (width: number, height: number) => (program.browser.contentSize = { width, height });
    pageOf(50_000, 50_000);
    assert.match(await whole({}), /the picture is too large/);
    assert.match(await whole({ clip: null }), /the picture is too large/);
    assert.ok(!program.sentTo('A').some(({ method }) => method === 'Page.captureScreenshot'));
    assert.equal(await whole({ captureBeyondViewport: false }), 'nothing');
    assert.equal(await whole({ clip }), 'nothing');
    pageOf(1_280, 20_000);
    assert.equal(await whole({}), 'nothing');
  });

  const print = async (params: object): Promise<string> =>
    (await RelayedProgram.withPage()).refusal('Page.printToPDF', params, 'A');
  const edgeless = { marginTop: 0, marginBottom: 0, marginLeft: 0, marginRight: 0 };

  it('is refused on tiny sheets, which would stop the page', async () => {
    for (const tiny of [
      { paperWidth: 0.3, paperHeight: 0.3, ...edgeless },
      { paperWidth: 1, paperHeight: 1 },
      { paperWidth: 1.5, paperHeight: 1.5, ...edgeless, scale: 2 },
      { marginTop: 5, marginBottom: 5.9 },
    ])
      assert.match(await print(tiny), /the sheets are too small/, JSON.stringify(tiny));
  });

  it('may be on usual sheets, and on the paper of a till', async () => {
    for (const usual of [
      {},
      { scale: 2, landscape: true },
      { paperWidth: 2.25, paperHeight: 3, ...edgeless },
    ])
      assert.equal(await print(usual), 'nothing', JSON.stringify(usual));
  });
});

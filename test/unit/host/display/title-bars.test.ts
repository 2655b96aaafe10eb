import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { crossOf, titleBars } from '../../../../server/src/host/display/windows/title-bars.js';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'title-bars-'));
});
afterEach(() => rm(home, { recursive: true }));

/** Returns the value of a setting. openbox uses the last line that sets it. */
function settingOf(source: string, name: string): string | undefined {
  const line = source.split('\n').findLast((each) => each.startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim();
}

describe('title bars', () => {
  for (const ratio of [1, 2])
    it(`have a button of the same size for a finger at ${ratio} pixels per CSS pixel`, async () => {
      const { theme, fonts } = await titleBars(home, ratio);
      const font = new RegExp(
        `^<font place="ActiveWindow"><size>${9 * ratio}</size></font><font place="Inactive`,
      );
      assert.match(fonts, font);
      const themed = (name: string) => readFile(join(home, '.themes', theme, 'openbox-3', name), 'utf8');
      const source = await themed('themerc');
      assert.match(source, new RegExp(`^padding\\.width: ${3 * ratio}$`, 'm'));
      // The title is about 16 CSS pixels high. The bar has no padding, because padding would not be a part of
      // the button.
      assert.match(source, /^padding\.height: 0$/m);
      for (const state of ['active', 'inactive'])
        assert.equal(
          settingOf(source, `window.${state}.label.text.font`),
          `shadow=y:shadowtint=0:shadowoffset=${28 * ratio}`,
        );
      assert.match(await themed('close.xbm'), new RegExp(`^#define close_width ${14 * ratio}\n`));
    });

  it('have a cross as button', () => {
    const bytes = crossOf(8, 1).split('{')[1]?.match(/0x../g);
    assert.deepEqual(bytes, ['0x81', '0x42', '0x24', '0x18', '0x18', '0x24', '0x42', '0x81']);
  });
});

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

describe('title bars', () => {
  it("are the theme's on a low-density display", async () => {
    assert.deepEqual(await titleBars(home, 1), { theme: 'Clearlooks', fonts: '' });
  });

  it('are larger on a high-density display, with their sizes and their button', async () => {
    const { theme, fonts } = await titleBars(home, 2);
    assert.match(fonts, /^<font place="ActiveWindow"><size>16<\/size><\/font><font place="InactiveWindow">/);
    const themed = (name: string) => readFile(join(home, '.themes', theme, 'openbox-3', name), 'utf8');
    assert.match(await themed('themerc'), /^padding\.width: 6$/m);
    assert.match(await themed('close.xbm'), /^#define close_width 16\n#define close_height 16\n/);
  });

  it('have a cross as button', () => {
    const bytes = crossOf(8, 1).split('{')[1]?.match(/0x../g);
    assert.deepEqual(bytes, ['0x81', '0x42', '0x24', '0x18', '0x18', '0x24', '0x42', '0x81']);
  });
});

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Theme that openbox uses, and name of its copy with other sizes. */
const THEME = 'Clearlooks';
const OWN_THEME = 'Touch';
/** Size of the cross on the close button in CSS pixels, and of the titles in points. */
const CROSS_PIXELS = 14;
const TITLE_POINTS = 9;
/**
 * Height that is added to the title, which is about 16 CSS pixels high. The bar is then 44 CSS pixels high,
 * and the button two pixels less, so a finger can press it. openbox derives both from the height of the
 * title. The only length in this height, other than the font's, is the offset of the title's shadow.
 */
const ADDED_PIXELS = 28;
/** Pattern of the lengths in the theme that grow with the pixel ratio. */
const LENGTHS = /^(border\.width|padding\.(?:width|height)|window\.handle\.width):\s*(\d+)/gm;

/** Part of openbox's configuration that sets the look of title bars. */
export interface TitleBars {
  theme: string;
  /** `<font>` elements; empty to use the theme's own. */
  fonts: string;
}

/**
 * Makes the title bars of popups large enough for a finger, on displays of every pixel ratio. openbox does
 * not scale title bars.
 *
 * @param home the home directory of the window manager, which finds its themes there
 */
export async function titleBars(home: string, pixelRatio: number): Promise<TitleBars> {
  const directory = join(home, '.themes', OWN_THEME, 'openbox-3');
  const [source] = await Promise.all([
    readFile(`/usr/share/themes/${THEME}/openbox-3/themerc`, 'utf8').catch(() => undefined),
    mkdir(directory, { recursive: true }),
  ]);
  const size = Math.round(TITLE_POINTS * pixelRatio);
  const fonts = ['ActiveWindow', 'InactiveWindow']
    .map((place) => `<font place="${place}"><size>${size}</size></font>`)
    .join('');
  if (source === undefined) return { theme: THEME, fonts };
  const grown = source.replace(LENGTHS, (_line, name: string, length: string) =>
    [name, Math.round(Number(length) * pixelRatio)].join(': '),
  );
  await Promise.all([
    writeFile(join(directory, 'themerc'), `${grown}\n${tallTitles(Math.round(ADDED_PIXELS * pixelRatio))}`),
    writeFile(join(directory, 'close.xbm'), crossOf(Math.round(CROSS_PIXELS * pixelRatio), 2 * pixelRatio)),
  ]);
  return { theme: OWN_THEME, fonts };
}

/** Returns the settings for taller titles. The shadow that makes them taller is transparent. */
function tallTitles(added: number): string {
  const shadow = `shadow=y:shadowtint=0:shadowoffset=${added}`;
  const titles = ['active', 'inactive'].map((state) => `window.${state}.label.text.font: ${shadow}\n`);
  return `padding.height: 0\n${titles.join('')}`;
}

/** Returns an X bitmap of a cross: rows of bytes, with the leftmost pixel in the lowest bit. */
export function crossOf(side: number, stroke: number): string {
  const bytes = Math.ceil(side / 8);
  const rows = Array.from({ length: side }, (_, y) => {
    const row = new Uint8Array(bytes);
    for (let x = 0; x < side; x++) {
      const isDrawn = Math.min(Math.abs(x - y), Math.abs(x + y - side + 1)) < stroke / Math.SQRT2;
      if (isDrawn) row[x >> 3] = (row[x >> 3] ?? 0) | (1 << (x & 7));
    }
    return [...row].map((byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(', ');
  });
  return `#define close_width ${side}\n#define close_height ${side}\nstatic unsigned char close_bits[] = {\n${rows.join(',\n')} };\n`;
}

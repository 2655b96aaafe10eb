import { Type } from 'typebox';
import { PIXEL_RATIOS, SCREEN_LIMITS } from '../platform/screen-size.js';
import { expected } from './expected.js';
import { oneOf } from './schema-parts.js';
import { browserFlag, row } from './field-row.js';

/** Mode of `quality` if the request sets none. */
export const STANDARD_QUALITY = 'smooth';

/** Bounds of the frame rate. */
const FPS_LIMITS = { min: 24, max: 60 } as const;

const side = Type.Number({ exclusiveMinimum: 0, ...expected('a number of pixels above 0') });
const SIDES = `A side below ${SCREEN_LIMITS.minSide} becomes ${SCREEN_LIMITS.minSide}, a side above ${SCREEN_LIMITS.maxSide} becomes ${SCREEN_LIMITS.maxSide}, and a fraction is rounded. Each of these three changes gives a warning.`;

/** Creation fields of the screen and its picture. */
export const SCREEN_FIELDS = {
  width: row({
    schema: side,
    standard: 1280,
    about: `Width of the screen in CSS pixels. Send both sides or neither. Odd numbers are allowed. ${SIDES} The service refuses an area above 1920 × 1080 with 400.`,
    host: { width: 'screen' },
  }),
  height: row({
    schema: side,
    standard: 720,
    about: 'Height of the screen in CSS pixels, see `width`.',
    host: { height: 'screen' },
  }),
  pixel_ratio: row({
    schema: Type.Unsafe<number | 'auto'>({
      anyOf: [
        { type: 'number', exclusiveMinimum: 0 },
        { type: 'string', enum: ['auto'] },
      ],
      ...expected(`a number from ${PIXEL_RATIOS.min} to ${PIXEL_RATIOS.max}, or auto`),
    }),
    standard: 1,
    about: `Screen pixels per CSS pixel, ${PIXEL_RATIOS.min} to ${PIXEL_RATIOS.max}. \`auto\`: the ratio of the first viewer. If the screen would have too many pixels, the ratio is lowered, with a warning.`,
    links: 'See [sharp screens](#sharp-screens).',
    shown: { type: 'number, `auto`' },
    host: { pixelRatio: 'screen', followsRatio: 'launch' },
  }),
  max_area: row({
    schema: Type.Number(),
    about:
      'Largest area that viewers can resize the screen to, in screen pixels, at most 1920 × 1080. The default is 1280 × 720 times the square of `pixel_ratio`, but at most 1920 × 1080. With `pixel_ratio` `auto`, the default is 1920 × 1080. If the first screen is larger than this limit, the area of the first screen is the limit.',
    shown: { standard: '1280 × 720 × `pixel_ratio`²' },
    host: { maxArea: 'screen' },
  }),
  fps: row({
    schema: Type.Number({
      minimum: FPS_LIMITS.min,
      maximum: FPS_LIMITS.max,
      ...expected(`an integer from ${FPS_LIMITS.min} to ${FPS_LIMITS.max}`),
    }),
    standard: 24,
    about: `Frames per second, ${FPS_LIMITS.min} to ${FPS_LIMITS.max}. A fraction is rounded, with a warning.`,
    host: { fps: 'screen' },
  }),
  quality: row({
    schema: Type.Object({
      mode: Type.Optional(
        oneOf(['sharp', 'smooth', 'blocky'], {
          default: STANDARD_QUALITY,
          description: 'The kind of picture, see `quality`.',
        }),
      ),
    }),
    about:
      '`mode` is the kind of picture. `sharp`: for small text, in full colour, with 3 times the bits of `smooth`. `smooth`: for movement, with at most 6.3 Mbit/s at 720p30. `blocky`: for poor connections.',
    shown: { standard: '`{"mode": "smooth"}`' },
    host: { quality: 'screen' },
  }),
  kiosk: browserFlag('launch', "Shows only the page, without the browser's interface."),
  hide_cursor: browserFlag('later', 'Always hides the remote pointer.'),
  dark: browserFlag('launch', 'Dark browser and dark pages.'),
};

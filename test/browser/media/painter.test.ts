import { PaintTrial } from '../../../src/media/paint-trial.js';
import { Painter } from '../../../src/media/painter.js';
import { PixelCopy } from '../../../src/media/pixel-copy.js';
import { copiesRgbx, copiesSamples, type ColourSample } from '../../../src/media/rgbx-copy.js';
import { equal, ok } from '../support/assert.js';
import { isNear, pixel, type Colour } from '../support/packets.js';

const SIZE = { width: 64, height: 48 };
const RED: Colour = [255, 0, 0];
const BLUE: Colour = [0, 0, 255];
const WHOLE = { x: 0, y: 0, ...SIZE };

/** The layout of a sample of 16x16 pixels in RGBX. */
const PLANE: PlaneLayout = { offset: 0, stride: 64 };
/**
 * Layouts that a browser may return when it ignores the format: planes, rows of another length, an offset,
 * none.
 */
const LYING_LAYOUTS: PlaneLayout[][] = [
  [
    { offset: 0, stride: 64 },
    { offset: 3072, stride: 32 },
    { offset: 3840, stride: 32 },
  ],
  [{ offset: 0, stride: 32 }],
  [{ offset: 256, stride: 256 }],
  [],
];

/** A finished trial, which has chosen to copy pictures. */
class Copying extends PaintTrial {
  refused = false;

  override get way() {
    return this.refused ? 'draw' : 'copy';
  }

  override refuse(): void {
    this.refused = true;
  }
}

/** Samples of each colour plane for a pixel. */
const FORMATS = { I420: 1 / 4, I444: 1 } as const;
type Format = keyof typeof FORMATS;

/** A frame of one colour as decoders give it: planes of full range. */
function frameOf(colour: 'red' | 'blue', format: Format): VideoFrame {
  const [luma, blueness, redness] = colour === 'red' ? [76, 85, 255] : [29, 255, 107];
  const pixels = SIZE.width * SIZE.height;
  const samples = pixels * FORMATS[format];
  const data = new Uint8Array(pixels + 2 * samples);
  data.fill(luma, 0, pixels);
  data.fill(blueness, pixels, pixels + samples);
  data.fill(redness, pixels + samples);
  const colorSpace = {
    ...({ matrix: 'smpte170m', primaries: 'bt709' } as const),
    ...({ transfer: 'iec61966-2-1', fullRange: true } as const),
  };
  const [codedWidth, codedHeight] = [SIZE.width, SIZE.height];
  return new VideoFrame(data, { format, codedWidth, codedHeight, timestamp: 0, colorSpace });
}

for (const format of Object.keys(FORMATS) as Format[])
  describe(`a painter that copies ${format}`, () => {
    let canvas: HTMLCanvasElement;
    let trial: Copying;
    let painter: Painter;
    beforeEach(async () => {
      await copiesRgbx();
      canvas = document.createElement('canvas');
      document.body.append(canvas);
      trial = new Copying();
      painter = new Painter(canvas, (...place) => Promise.resolve(new PixelCopy(...place, trial)));
      await Promise.resolve();
    });
    afterEach(() => canvas.remove());

    async function paint(
      colour: 'red' | 'blue',
      area = WHOLE,
      image = frameOf(colour, format),
    ): Promise<void> {
      await painter.paint(image, area);
      image.close();
    }

    function shows(x: number, y: number, expected: Colour): void {
      const colour = pixel(canvas, x, y);
      ok(isNear(colour, expected), `${x},${y} is ${colour.join()}, not ${expected.join()}`);
    }

    it('paints the complete first picture, whatever changed in it', async () => {
      await paint('red', { x: 8, y: 8, width: 2, height: 2 });
      equal([canvas.width, canvas.height], [SIZE.width, SIZE.height]);
      shows(0, 0, RED);
      shows(63, 47, RED);
    });

    it('paints the changed area and keeps the rest', async () => {
      await paint('red');
      await paint('blue', { x: 16, y: 8, width: 32, height: 20 });
      ok(!trial.refused);
      shows(16, 8, BLUE);
      shows(47, 27, BLUE);
      for (const [x, y] of [
        [14, 8],
        [16, 6],
        [48, 27],
        [47, 28],
      ] as const)
        shows(x, y, RED);
    });

    it('accepts an area beyond the edge, at odd coordinates or of size zero', async () => {
      await paint('red');
      await paint('blue', { x: 33, y: 31, width: 64, height: 64 });
      await paint('red', { x: 0, y: 0, width: 0, height: 0 });
      ok(!trial.refused);
      shows(34, 32, BLUE);
      shows(63, 47, BLUE);
      shows(31, 30, RED);
    });

    it('does not draw a frame that only repeats the picture', async () => {
      trial.refused = true;
      await paint('red');
      await paint('blue', { x: 0, y: 0, width: 0, height: 0 });
      shows(63, 47, RED);
    });

    it('draws the whole frame if copying fails', async () => {
      await paint('red');
      const image = frameOf('blue', format);
      image.copyTo = () => Promise.reject(new TypeError('no such format'));
      await paint('blue', { x: 0, y: 0, width: 2, height: 2 }, image);
      ok(trial.refused);
      shows(63, 47, BLUE);
    });

    it('draws if the copy has another layout than requested', async () => {
      for (const layout of LYING_LAYOUTS) {
        trial.refused = false;
        await paint('red');
        const image = frameOf('blue', format);
        image.copyTo = () => Promise.resolve(layout);
        await paint('blue', WHOLE, image);
        ok(trial.refused, JSON.stringify(layout));
        shows(63, 47, BLUE);
      }
    });

    it('draws until the samples have passed, and always draws if they fail', async () => {
      const never = new Promise<undefined>(() => undefined);
      for (const answer of [never, Promise.resolve(undefined), Promise.reject(new TypeError('blocked'))]) {
        painter = new Painter(canvas, () => answer);
        await paint('red');
        const image = frameOf('blue', format);
        image.copyTo = () => Promise.reject(new Error('nothing is to be copied'));
        equal(painter.paint(image, { x: 0, y: 0, width: 2, height: 2 }), undefined);
        image.close();
        shows(63, 47, BLUE);
      }
    });
  });

describe('a painter that draws', () => {
  it('removes padding if the browser draws the whole frame at the size of its visible part', async () => {
    const canvas = document.createElement('canvas');
    const painter = new Painter(canvas);
    const context = canvas.getContext('2d');
    ok(context);
    const draw = context.drawImage.bind(context);
    context.drawImage = (image: CanvasImageSource) => {
      const frame = image as VideoFrame;
      const whole = new VideoFrame(frame, { visibleRect: frame.codedRect ?? WHOLE });
      draw(whole, 0, 0, SIZE.width, SIZE.height, 0, 0, frame.displayWidth, frame.displayHeight);
      whole.close();
    };
    const [codedWidth, codedHeight] = [SIZE.width, SIZE.height];
    const [width, height] = [codedWidth - 1, codedHeight - 1];
    const pixels = Array.from({ length: codedWidth * codedHeight }, (_, at) => {
      const seen = at % codedWidth < width && at < codedWidth * height;
      return [...(seen ? RED : BLUE), 255];
    });
    const padded = new VideoFrame(new Uint8Array(pixels.flat()), {
      format: 'RGBX',
      codedWidth,
      codedHeight,
      timestamp: 0,
    });
    const image = new VideoFrame(padded, { visibleRect: { x: 0, y: 0, width, height } });
    padded.close();
    await painter.paint(image, { x: 0, y: 0, width, height });
    image.close();
    equal([canvas.width, canvas.height], [width, height]);
    for (const [x, y] of [
      [0, 0],
      [width - 1, height - 1],
    ] as const) {
      const colour = pixel(canvas, x, y);
      ok(isNear(colour, RED), `${x},${y} is ${colour.join()}`);
    }
  });
});

describe('the copy samples', () => {
  const pixel = [200, 120, 40, 255] as const;

  /** A frame whose copy contains these bytes and reports this layout. */
  const sample = (bytes: readonly number[], layout: PlaneLayout[] = [PLANE]): ColourSample => ({
    pixel,
    makeFrame() {
      const frame = frameOf('red', 'I420');
      frame.copyTo = (destination) => {
        const data = destination as Uint8ClampedArray;
        data.forEach((_, at) => (data[at] = bytes[at % bytes.length] ?? 0));
        return Promise.resolve(layout);
      };
      return frame;
    },
  });

  it('pass in this browser', async () => {
    ok(await copiesRgbx());
  });

  it('pass if colours and layout are right', async () => {
    ok(await copiesSamples([sample(pixel)]));
    ok(await copiesSamples([sample([202, 118, 41, 255])]));
  });

  it('fail if a frame is unconverted, transparent, empty or planar', async () => {
    for (const bytes of [[40, 120, 200, 255], [200, 120, 40, 0], [0], [76]])
      ok(!(await copiesSamples([sample(pixel), sample(bytes)])), bytes.join());
    for (const layout of LYING_LAYOUTS)
      ok(!(await copiesSamples([sample(pixel, layout)])), JSON.stringify(layout));
  });

  it('fail if frames cannot be created or copied', async () => {
    const refuse = () => {
      throw new TypeError('no such format');
    };
    ok(!(await copiesSamples([{ pixel, makeFrame: refuse }])));
    const frame = frameOf('red', 'I420');
    frame.copyTo = refuse;
    ok(!(await copiesSamples([{ pixel, makeFrame: () => frame }])));
  });
});

import { areaOf, PIXEL_RATIOS, ratioWithin, SCREEN_LIMITS, type Size } from '../../platform/screen-size.js';
import { invalidParameter } from '../../service-error.js';
import { CREATE_FIELDS } from '../../create-fields/index.js';
import type { CreateRequest } from '../../create-fields/create-request.js';
import type { SessionSettings } from './session-settings.js';
import type { Warnings } from '../../create-fields/warnings.js';

const STANDARD = {
  width: CREATE_FIELDS.width.standard,
  height: CREATE_FIELDS.height.standard,
  pixelRatio: CREATE_FIELDS.pixel_ratio.standard,
  fps: CREATE_FIELDS.fps.standard,
};

type Screen = Pick<SessionSettings, 'width' | 'height' | 'pixelRatio' | 'followsRatio' | 'maxArea' | 'fps'>;

/**
 * Returns the screen of a session. Throws {@link ServiceError}.
 * - A side outside the limits becomes the nearest possible side, with a warning. This case is frequent,
 *   because callers request the size that their page has measured.
 * - A screen with too many pixels is refused. On a smaller screen, the caller would see less than was
 *   requested.
 * - A pixel ratio that is too high becomes the highest possible ratio, with a warning. The page then keeps
 *   its size and is a little less sharp.
 */
export function screenOf(request: CreateRequest, warnings: Warnings): Screen {
  const { width = STANDARD.width, height = STANDARD.height } = request;
  if ((request.width === undefined) !== (request.height === undefined)) {
    const [missing, given] = request.width === undefined ? ['width', 'height'] : ['height', 'width'];
    throw invalidParameter(missing, `given as well when ${given} is`);
  }
  const size = { width: side('width', width, warnings), height: side('height', height, warnings) };
  const area = size.width * size.height;
  if (area > SCREEN_LIMITS.maxArea) {
    const expected = `at most ${SCREEN_LIMITS.maxArea} pixels in total (1920 x 1080), not ${area}`;
    throw invalidParameter('width x height', expected);
  }
  const followsRatio = request.pixel_ratio === 'auto';
  const pixelRatio = pixelRatioOf(request.pixel_ratio, size, warnings);
  const fps = request.fps ?? STANDARD.fps;
  return {
    ...{ ...size, pixelRatio, followsRatio },
    maxArea: maxAreaOf(request.max_area, { ...size, pixelRatio }, followsRatio, warnings),
    fps: told('fps', fps, Math.round(fps), 'it must be a whole number', warnings),
  };
}

function side(name: string, asked: number, warnings: Warnings): number {
  const { minSide, maxSide } = SCREEN_LIMITS;
  const side = Math.min(Math.max(Math.round(asked), minSide), maxSide);
  return told(name, asked, side, `a side has ${minSide} to ${maxSide} whole pixels`, warnings);
}

/**
 * Returns the pixel ratio. With `auto`, the ratio is 1 until a viewer reports the ratio of its own screen.
 */
function pixelRatioOf(asked: CreateRequest['pixel_ratio'], size: Size, warnings: Warnings): number {
  if (asked === undefined || asked === 'auto') return STANDARD.pixelRatio;
  const { min, max } = PIXEL_RATIOS;
  const { maxArea, maxSide } = SCREEN_LIMITS;
  const ratio = ratioWithin(size, Math.min(Math.max(asked, min), max), maxArea);
  const because = `it is ${min} to ${max}, and the screen has at most ${maxArea} pixels, ${maxSide} a side`;
  return told('pixel_ratio', asked, ratio, because, warnings);
}

/**
 * Returns the largest area of the screen. If the requested maximum is below the first area of the screen,
 * returns the first area, so that the screen can return to its first size.
 */
function maxAreaOf(
  asked: number | undefined,
  shape: Size & { pixelRatio: number },
  followsRatio: boolean,
  warnings: Warnings,
): number {
  const area = areaOf(shape);
  if (asked === undefined) {
    const ratio = followsRatio ? PIXEL_RATIOS.max : shape.pixelRatio;
    const usual = Math.min(Math.floor(STANDARD.width * STANDARD.height * ratio ** 2), SCREEN_LIMITS.maxArea);
    return Math.max(area, usual);
  }
  const most = Math.max(Math.min(Math.floor(asked), SCREEN_LIMITS.maxArea), area);
  const range = `the minimum is the first area of the screen, the maximum ${SCREEN_LIMITS.maxArea}`;
  return told('max_area', asked, most, range, warnings);
}

function told(field: string, asked: number, taken: number, because: string, warnings: Warnings): number {
  if (asked !== taken) warnings.push(`${field} ${asked} becomes ${taken}: ${because}.`);
  return taken;
}

import { areaOf, PIXEL_RATIOS, ratioWithin, SCREEN_LIMITS, type Size } from '../../platform/screen-size.js';
import { invalidParameter } from '../../service-error.js';
import type { CreateRequest } from './create-request.js';
import { DEFAULT_SETTINGS, type SessionSettings } from './session-settings.js';
import type { Warnings } from './warnings.js';

type Screen = Pick<SessionSettings, 'width' | 'height' | 'pixelRatio' | 'followsRatio' | 'maxArea' | 'fps'>;

/**
 * The screen of a session. Pages measure themselves and ask for what they are given, so a side that no screen can have becomes the
 * nearest one that it can, with a warning. More pixels than there can be are refused: who asks for them would see less than was
 * asked for. Of a pixel ratio there is as much as there is room for: the page is as large, and a little less sharp. Throws
 * {@link ServiceError}.
 */
export function screenOf(request: CreateRequest, warnings: Warnings): Screen {
  const { width = DEFAULT_SETTINGS.width, height = DEFAULT_SETTINGS.height } = request;
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
  const fps = request.fps ?? DEFAULT_SETTINGS.fps;
  return {
    ...{ ...size, pixelRatio, followsRatio },
    maxArea: maxAreaOf(request.max_area, { ...size, pixelRatio }, followsRatio, warnings),
    fps: told('fps', fps, Math.round(fps), 'frames a second are whole', warnings),
  };
}

function side(name: string, asked: number, warnings: Warnings): number {
  const { minSide, maxSide } = SCREEN_LIMITS;
  const side = Math.min(Math.max(Math.round(asked), minSide), maxSide);
  return told(name, asked, side, `a side has ${minSide} to ${maxSide} whole pixels`, warnings);
}

/** With `auto` the browser starts with 1, until a viewer has told its own. */
function pixelRatioOf(asked: CreateRequest['pixel_ratio'], size: Size, warnings: Warnings): number {
  if (asked === undefined || asked === 'auto') return DEFAULT_SETTINGS.pixelRatio;
  const { min, max } = PIXEL_RATIOS;
  const { maxArea, maxSide } = SCREEN_LIMITS;
  const ratio = ratioWithin(size, Math.min(Math.max(asked, min), max), maxArea);
  const because = `it is ${min} to ${max}, and the screen has at most ${maxArea} pixels, ${maxSide} a side`;
  return told('pixel_ratio', asked, ratio, because, warnings);
}

/** A screen can always have the shape again that it began with, so a smaller bound counts as that. */
function maxAreaOf(
  asked: number | undefined,
  shape: Size & { pixelRatio: number },
  followsRatio: boolean,
  warnings: Warnings,
): number {
  const area = areaOf(shape);
  if (asked === undefined) {
    const ratio = followsRatio ? PIXEL_RATIOS.max : shape.pixelRatio;
    const usual = Math.min(Math.floor(DEFAULT_SETTINGS.maxArea * ratio ** 2), SCREEN_LIMITS.maxArea);
    return Math.max(area, usual);
  }
  const most = Math.max(Math.min(Math.floor(asked), SCREEN_LIMITS.maxArea), area);
  const range = `the least is what the screen begins with, the most ${SCREEN_LIMITS.maxArea}`;
  return told('max_area', asked, most, range, warnings);
}

function told(field: string, asked: number, taken: number, because: string, warnings: Warnings): number {
  if (asked !== taken) warnings.push(`${field} ${asked} is taken as ${taken}: ${because}.`);
  return taken;
}

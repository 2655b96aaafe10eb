import { invalidParameter } from '../../service-error.js';
import type { CreateRequest } from './create-request.js';
import { DEFAULT_SETTINGS, SCREEN_LIMITS, type SessionSettings } from './session-settings.js';
import type { Warnings } from './warnings.js';

type Screen = Pick<SessionSettings, 'width' | 'height' | 'maxArea' | 'fps'>;

/**
 * The screen of a session. Pages measure themselves and ask for what they are given, so a side that no screen can have becomes the
 * nearest one that it can, with a warning. More pixels than there can be are refused: who asks for them would see less than was
 * asked for. Throws {@link ServiceError}.
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
  const fps = request.fps ?? DEFAULT_SETTINGS.fps;
  return {
    ...size,
    maxArea: maxAreaOf(request.max_area, area, warnings),
    fps: told('fps', fps, Math.round(fps), 'frames a second are whole', warnings),
  };
}

function side(name: string, asked: number, warnings: Warnings): number {
  const { minSide, maxSide } = SCREEN_LIMITS;
  const side = Math.min(Math.max(Math.round(asked), minSide), maxSide);
  return told(name, asked, side, `a side has ${minSide} to ${maxSide} whole pixels`, warnings);
}

/** A screen can always have its own size again, so a smaller bound counts as that. */
function maxAreaOf(asked: number | undefined, area: number, warnings: Warnings): number {
  if (asked === undefined) return Math.max(area, DEFAULT_SETTINGS.maxArea);
  const most = Math.max(Math.min(Math.floor(asked), SCREEN_LIMITS.maxArea), area);
  const range = `the least is width x height, the most ${SCREEN_LIMITS.maxArea}`;
  return told('max_area', asked, most, range, warnings);
}

function told(field: string, asked: number, taken: number, because: string, warnings: Warnings): number {
  if (asked !== taken) warnings.push(`${field} ${asked} is taken as ${taken}: ${because}.`);
  return taken;
}

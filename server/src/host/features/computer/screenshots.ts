import type { Screenshot, ScreenRegion } from 'cloud-browser/protocol';
import { systemClock, type Clock, type Timer } from '../../../platform/time/clock.js';
import type { Size } from '../../../platform/screen-size.js';
import type { ScreenCamera } from '../../capture/screen-camera.js';
import { blacken } from '../../capture/blacken.js';
import { BYTES_PER_PIXEL, type Rect } from '../../capture/frame-source.js';
import { encodeStill } from '../../encode/still-encoder.js';
import { wrong } from '../../room/calls/arguments.js';
import { browserUnavailable, CallError } from '../../room/calls/call-error.js';
import type { CheckedScreenshot } from './computer-arguments.js';

/** The camera, a connection to the display, is closed after this time without a screenshot. Milliseconds. */
const LINGER_MS = 15_000;
/** Maximum number of screenshots that wait or are being taken. Screenshots are taken one after the other. */
const MAX_WAITING = 8;
/** Maximum number of these screenshots for one caller. A wait for a still screen takes up to 15 seconds. */
const MAX_OF_CALLER = 4;

type Camera = Pick<ScreenCamera, 'size' | 'whenStill' | 'read' | 'drawPointer' | 'close'>;

/** The screen that screenshots show. */
export interface ScreenshotSource {
  openCamera(): Promise<Camera>;
  /** Returns the current size of the screen. */
  size(): Size | undefined;
  /**
   * Returns the areas that show masked fields. `unknown` if a page does not answer. Then any area may show a
   * masked field.
   */
  maskedAreas(): Promise<Rect[] | 'unknown'>;
}

/** A requested screenshot. */
export interface ScreenshotRequest {
  options: CheckedScreenshot;
  /**
   * The user or agent that wants the screenshot. A user counts once, with all connections. Undefined for the
   * service, which has no limit here.
   */
  caller: object | undefined;
  /** Returns true if the caller may see masked fields now. Otherwise they are black. */
  seesMasked: () => boolean;
  /**
   * Called during the wait for a still screen, and before and after the picture is made. Throws if the caller
   * may not see it any more.
   */
  mayStillSee: () => void;
  /** Maximum size of the encoded picture. */
  maxBytes: number;
  /** Called with the milliseconds that it took to make the picture. */
  onWork?: (ms: number) => void;
}

/**
 * Takes screenshots, one at a time. The camera opens for the first screenshot, and closes {@link LINGER_MS}
 * after the last screenshot.
 */
export class Screenshots {
  #source: ScreenshotSource | undefined;
  #camera: Promise<Camera> | undefined;
  #linger: Timer | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** The callers of the screenshots that wait or are being taken. */
  readonly #waiting: (object | undefined)[] = [];
  /** Rejects the screenshot that is being taken. */
  #abandon: () => void = () => undefined;

  constructor(private readonly clock: Clock = systemClock) {}

  /** Uses the screen of a browser that has started. */
  use(source: ScreenshotSource): void {
    this.#source = source;
  }

  /**
   * Closes the camera and rejects the screenshot that is being taken, because the browser has ended. Its
   * display may give no answer any more, and the next screenshots wait for this one.
   */
  browserIsGone(): void {
    this.#source = undefined;
    this.#abandon();
    this.#close();
  }

  /**
   * Takes a screenshot. Rejects with {@link CallError}. Throws the error at once if too many screenshots
   * wait, or too many of this caller.
   */
  take(request: ScreenshotRequest): Promise<Screenshot> {
    const { caller } = request;
    const own = caller ? this.#waiting.filter((each) => each === caller).length : 0;
    if (this.#waiting.length >= MAX_WAITING || own >= MAX_OF_CALLER) {
      const limits = `At most ${MAX_OF_CALLER} screenshots of one caller, and ${MAX_WAITING} of the session, can wait.`;
      throw new CallError('err_too_many_calls', `${limits} Wait for some of them first.`);
    }
    this.#waiting.push(caller);
    const turn = this.#last.then(() => this.#take(request));
    this.#last = turn
      .catch(() => undefined)
      .then(() => {
        this.#waiting.splice(this.#waiting.indexOf(caller), 1);
      });
    return turn;
  }

  close(): void {
    this.browserIsGone();
  }

  async #take(request: ScreenshotRequest): Promise<Screenshot> {
    request.mayStillSee();
    const source = this.#source;
    if (!source) throw browserUnavailable();
    this.#linger?.cancel();
    try {
      return await new Promise<Screenshot>((resolve, reject) => {
        this.#abandon = () => reject(browserUnavailable());
        this.#shoot(source, request).then(resolve, reject);
      });
    } finally {
      this.#abandon = () => undefined;
      this.#linger = this.clock.setTimeout(() => this.#close(), LINGER_MS);
    }
  }

  async #shoot(
    source: ScreenshotSource,
    { options, seesMasked, mayStillSee, maxBytes, onWork }: ScreenshotRequest,
  ): Promise<Screenshot> {
    let began: number | undefined;
    try {
      const camera = await this.#cameraOf(source);
      // The next screenshots wait too. So a caller who has gone must not wait for a screen that moves.
      const stable = await camera.whenStill(options.wait_for_stable, options.timeout, mayStillSee);
      began = this.clock.now();
      for (;;) {
        if (this.#source !== source) throw browserUnavailable();
        mayStillSee();
        const unmasked = seesMasked();
        const picture = await this.#read(camera, source, unmasked);
        if (options.cursor) await camera.drawPointer(picture);
        const shot = await encoded(picture, camera.size, options, stable, maxBytes);
        // Privacy mode may have begun while the picture was made.
        mayStillSee();
        // If the caller has lost the role meanwhile, the loop makes another picture, with black fields.
        if (!unmasked || seesMasked()) return shot;
      }
    } finally {
      if (began !== undefined) onWork?.(this.clock.now() - began);
    }
  }

  /** Returns the open camera. Opens another camera if the size of the screen has changed. */
  async #cameraOf(source: ScreenshotSource): Promise<Camera> {
    const size = source.size();
    const open = await this.#camera?.catch(() => undefined);
    // After a restart, the camera of the new browser stays open.
    if (this.#source !== source) throw browserUnavailable();
    const fits = open && size && open.size.width === size.width && open.size.height === size.height;
    if (fits) return open;
    this.#close();
    this.#camera = source.openCamera();
    return this.#camera.catch(() => {
      throw browserUnavailable();
    });
  }

  /**
   * Reads the screen. Blackens the areas of masked fields, as they were before and after the picture was
   * read.
   */
  async #read(camera: Camera, source: ScreenshotSource, seesMasked: boolean): Promise<Buffer> {
    const before = seesMasked ? [] : await source.maskedAreas();
    const picture = await camera.read().catch(() => {
      if (this.#source === source) this.#close();
      throw browserUnavailable();
    });
    const after = seesMasked ? [] : await source.maskedAreas();
    if (before === 'unknown' || after === 'unknown') return Buffer.alloc(picture.length);
    for (const area of [...before, ...after]) blacken(picture, camera.size, area);
    return picture;
  }

  #close(): void {
    this.#linger?.cancel();
    void this.#camera?.then(
      (camera) => camera.close(),
      () => undefined,
    );
    this.#camera = undefined;
  }
}

async function encoded(
  picture: Buffer,
  screen: Size,
  { format, quality, scale, ...options }: CheckedScreenshot,
  stable: boolean,
  maxBytes: number,
): Promise<Screenshot> {
  const region = options.region ? within(options.region, screen) : { x: 0, y: 0, ...screen };
  const part = options.region ? cut(picture, screen, region) : picture;
  const [width, height] = [region.width, region.height].map((side) => Math.max(1, Math.round(side * scale)));
  const size = { width: width ?? 1, height: height ?? 1 };
  const bytes = await encodeStill({ ...region, data: part }, size, format, quality);
  if (bytes.length > maxBytes)
    throw new CallError(
      'err_picture_too_large',
      `The picture has ${bytes.length} bytes. At most ${maxBytes} are possible. Use format jpeg or webp, a smaller scale, or a region.`,
    );
  return { format, ...size, region, stable, data: bytes.toString('base64') };
}

/** Returns the part of a region that is on the screen. Throws `CallError` if the whole region is outside. */
function within({ x, y, width, height }: ScreenRegion, screen: Size): ScreenRegion {
  if (x >= screen.width || y >= screen.height)
    throw wrong('region', `a part of the screen, which has ${screen.width} x ${screen.height} pixels`);
  return { x, y, width: Math.min(width, screen.width - x), height: Math.min(height, screen.height - y) };
}

function cut(picture: Buffer, screen: Size, { x, y, width, height }: Rect): Buffer {
  const part = Buffer.allocUnsafe(width * height * BYTES_PER_PIXEL);
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * screen.width + x) * BYTES_PER_PIXEL;
    picture.copy(part, row * width * BYTES_PER_PIXEL, from, from + width * BYTES_PER_PIXEL);
  }
  return part;
}

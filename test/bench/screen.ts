import { createRequire } from 'node:module';

/** The few parts of npm `x11` (which has no types) that the benchmark uses. */
interface XClient {
  GetImage(
    format: number,
    drawable: number,
    x: number,
    y: number,
    width: number,
    height: number,
    planeMask: number,
    done: (error: Error | null, image: { data: Buffer }) => void,
  ): void;
  require(name: 'xtest', done: (error: Error | null, extension: XTest) => void): void;
  terminate(): void;
  on(event: 'error', listener: (error: Error) => void): void;
}
interface XTest {
  ButtonPress: number;
  ButtonRelease: number;
  MotionNotify: number;
  FakeInput(type: number, detail: number, time: number, window: number, x: number, y: number): void;
}
interface XModule {
  createClient(
    options: { display: string; auth: { name: string; data: string } },
    done: (error: Error | null, display: { client: XClient; screen: { root: number }[] }) => void,
  ): unknown;
}

const x11 = createRequire(import.meta.url)('x11') as XModule;

const Z_PIXMAP = 2;
const LEFT_BUTTON = 1;
const ALL_PLANES = 0xffffffff;

/** Red, green, blue: 0..255 each. */
export type Colour = readonly [red: number, green: number, blue: number];

/** The viewer's X display. Reads its pixels and moves its pointer, as a person at the screen would. */
export class Screen {
  private constructor(
    private readonly client: XClient,
    private readonly xtest: XTest,
    private readonly root: number,
  ) {}

  static async connect(display: number): Promise<Screen> {
    const { client, root } = await new Promise<{ client: XClient; root: number }>((resolve, reject) => {
      x11.createClient({ display: `:${display}`, auth: { name: '', data: '' } }, (error, display) => {
        const root = display.screen[0]?.root;
        if (error ?? root === undefined) reject(error ?? new Error('The display has no screen.'));
        else resolve({ client: display.client, root });
      });
    });
    client.on('error', () => undefined);
    const xtest = await new Promise<XTest>((resolve, reject) => {
      client.require('xtest', (error, extension) => {
        if (error) reject(error);
        else resolve(extension);
      });
    });
    return new Screen(client, xtest, root);
  }

  /** A row of pixels, from left to right. */
  row(x: number, y: number, width: number): Promise<Colour[]> {
    return new Promise((resolve, reject) => {
      this.client.GetImage(Z_PIXMAP, this.root, x, y, width, 1, ALL_PLANES, (error, image) => {
        if (error) {
          reject(error);
          return;
        }
        const { data } = image;
        // 32 bits a pixel, blue first.
        resolve(
          Array.from({ length: width }, (_, i) => [
            data[i * 4 + 2] ?? 0,
            data[i * 4 + 1] ?? 0,
            data[i * 4] ?? 0,
          ]),
        );
      });
    });
  }

  /** One pixel. */
  async pixel(x: number, y: number): Promise<Colour> {
    const [colour] = await this.row(x, y, 1);
    return colour ?? [0, 0, 0];
  }

  movePointer(x: number, y: number): void {
    this.xtest.FakeInput(this.xtest.MotionNotify, 0, 0, this.root, x, y);
  }

  press(): void {
    this.xtest.FakeInput(this.xtest.ButtonPress, LEFT_BUTTON, 0, this.root, 0, 0);
  }

  release(): void {
    this.xtest.FakeInput(this.xtest.ButtonRelease, LEFT_BUTTON, 0, this.root, 0, 0);
  }

  close(): void {
    this.client.terminate();
  }
}

import { PACKET_HEADER_BYTES } from '../../../src/protocol/index.js';

/** Records of the viewer's page since it was loaded. All times are epoch milliseconds. */
export interface PageRecords {
  /** Times at which the page received a press of the pointer. */
  presses: number[];
  /** Binary messages of the session: the time of arrival, and the first bytes. */
  messages: { at: number; start: number[] }[];
  /** Pictures that left a video decoder. The product uses the frame number as the time stamp. */
  decoded: { at: number; frame: number }[];
  /** Times at which a call that paints on a canvas returned. */
  painted: number[];
}

/** Name of the page's variable with the {@link PageRecords}. */
const VARIABLE = 'stageRecords';

/** Expression that returns the {@link PageRecords} of a page with the {@link RECORDER}. */
export const READ_RECORDS = `globalThis.${VARIABLE}`;

/**
 * Script that records events of the viewer's page. It must run before the page's own code. It observes the
 * browser's interfaces, so the product needs no code for it. tsx passes each named function to `__name`,
 * which a page does not have.
 */
export const RECORDER = `{
  const __name = (value) => value;
  (${record.toString()})(${JSON.stringify(VARIABLE)}, ${PACKET_HEADER_BYTES});
}`;

/** Runs in the viewer's page, so it uses nothing of this module. */
function record(variable: string, startBytes: number): void {
  const records: PageRecords = { presses: [], messages: [], decoded: [], painted: [] };
  Reflect.set(globalThis, variable, records);
  const now = () => performance.timeOrigin + performance.now();

  addEventListener('pointerdown', () => records.presses.push(now()), { capture: true });

  globalThis.WebSocket = class extends WebSocket {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      // The first listener of the socket, so it is called before the page's own.
      this.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const at = now();
        if (!(data instanceof ArrayBuffer)) return;
        const start = new Uint8Array(data, 0, Math.min(startBytes, data.byteLength));
        records.messages.push({ at, start: [...start] });
      });
    }
  };

  globalThis.VideoDecoder = class extends VideoDecoder {
    constructor({ output, error }: VideoDecoderInit) {
      super({
        output: (frame) => {
          records.decoded.push({ at: now(), frame: frame.timestamp });
          output(frame);
        },
        error,
      });
    }
  };

  const { prototype } = CanvasRenderingContext2D;
  for (const name of ['drawImage', 'putImageData'] as const) {
    const paint = Reflect.get(prototype, name) as (...args: unknown[]) => unknown;
    Reflect.set(prototype, name, function (this: CanvasRenderingContext2D, ...args: unknown[]) {
      Reflect.apply(paint, this, args);
      records.painted.push(now());
    });
  }
}

import type { MediaPacket, StreamInfo } from '../protocol/index.js';
import { DECODE_WORKER_SOURCE } from './decode-worker.generated.js';
import type { DecoderListener } from './stream-decoder.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

/** Milliseconds for the worker to report for duty. A policy that refuses it says so at once, but not in every browser. */
const START_TIMEOUT = 2000;

/**
 * Starts the decode worker. Resolves to undefined where there can be none, for instance under a
 * Content-Security-Policy without `worker-src blob:`.
 */
export function startDecodeWorker(): Promise<Worker | undefined> {
  const url = URL.createObjectURL(new Blob([DECODE_WORKER_SOURCE], { type: 'text/javascript' }));
  let worker: Worker;
  try {
    worker = new Worker(url, { name: 'cloud-browser-decode' });
  } catch {
    URL.revokeObjectURL(url);
    return Promise.resolve(undefined);
  }
  return new Promise((resolve) => {
    const settle = (ready: boolean): void => {
      clearTimeout(timer);
      URL.revokeObjectURL(url);
      worker.onmessage = worker.onerror = null;
      if (!ready) worker.terminate();
      resolve(ready ? worker : undefined);
    };
    const timer = setTimeout(settle, START_TIMEOUT, false);
    worker.onmessage = () => settle(true);
    worker.onerror = (event) => {
      event.preventDefault();
      settle(false);
    };
  });
}

/** A stream decoder in a worker. */
export class WorkerDecoder {
  readonly #worker: Worker;

  /** The worker is this decoder's from here on. */
  constructor(worker: Worker, acceleration: HardwareAcceleration, listener: DecoderListener) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => dispatch(data, listener);
    this.#post({ type: 'start', acceleration });
  }

  setStream(stream: StreamInfo): void {
    this.#post({ type: 'stream', stream });
  }

  /** The packet is copied, not transferred: other listeners of the client read it too. */
  push(packet: MediaPacket): void {
    this.#post({ type: 'packet', packet });
  }

  close(): void {
    this.#worker.onmessage = null;
    this.#worker.terminate();
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }
}

function dispatch(message: FromWorker, listener: DecoderListener): void {
  switch (message.type) {
    case 'picture':
      listener.onPicture(message.picture);
      break;
    case 'dropped':
      listener.onDropped(message.stream, message.frame);
      break;
    case 'key-frame-needed':
      listener.onKeyFrameNeeded(message.stream);
      break;
    case 'failed':
      listener.onFailed(message.stream, message.message);
      break;
    case 'ready':
      break;
  }
}

import type { MediaPacket, StreamInfo } from '../protocol/index.js';
import type { StageListener } from './decoded.js';
import { DECODE_WORKER_SOURCE } from './decode-worker.generated.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

/** Milliseconds for the worker to report for duty. A policy that refuses it says so at once, but not in every browser. */
const START_TIMEOUT = 2000;

/**
 * Starts the decode worker. Resolves to undefined where there can be none: a Content-Security-Policy without
 * `worker-src blob:`, or a browser without OffscreenCanvas or without WebCodecs in workers.
 */
export function startDecodeWorker(): Promise<Worker | undefined> {
  if (typeof Worker === 'undefined' || typeof OffscreenCanvas === 'undefined')
    return Promise.resolve(undefined);
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

/** A stage in a worker, painting a canvas whose control it takes: a busy page cannot hold up the picture. */
export class WorkerStage {
  readonly #worker: Worker;

  /** The worker is this stage's from here on. Throws when the canvas already has a context. */
  constructor(
    worker: Worker,
    canvas: HTMLCanvasElement,
    acceleration: HardwareAcceleration,
    listener: StageListener,
  ) {
    this.#worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => dispatch(data, listener);
    const offscreen = canvas.transferControlToOffscreen();
    this.#post({ type: 'start', canvas: offscreen, acceleration }, [offscreen]);
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

  #post(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }
}

function dispatch(message: FromWorker, listener: StageListener): void {
  switch (message.type) {
    case 'painted':
      listener.onPainted(message.painted);
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

/** The worker's script: a decoder that is driven by messages. Bundled as text by `scripts/generate-worker.mjs`. */
import { StreamDecoder } from './stream-decoder.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

const report = (message: FromWorker, transfer: Transferable[] = []): void =>
  self.postMessage(message, { transfer });

let decoder: StreamDecoder | undefined;

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case 'start':
      decoder = new StreamDecoder(data.acceleration, {
        onPicture: (picture) => report({ type: 'picture', picture }, [picture.image]),
        onDropped: (stream, frame) => report({ type: 'dropped', stream, frame }),
        onKeyFrameNeeded: (stream) => report({ type: 'key-frame-needed', stream }),
        onFailed: (stream, message) => report({ type: 'failed', stream, message }),
      });
      break;
    case 'stream':
      decoder?.setStream(data.stream);
      break;
    case 'packet':
      decoder?.push(data.packet);
      break;
  }
});

report({ type: 'ready' });

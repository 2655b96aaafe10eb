/** The worker's script: a stage that is driven by messages. Bundled as text by `scripts/generate-worker.mjs`. */
import { Stage } from './stage.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

const report = (message: FromWorker): void => self.postMessage(message);

let stage: Stage | undefined;

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case 'start':
      stage = new Stage(data.canvas, data.acceleration, {
        onPainted: (painted) => report({ type: 'painted', painted }),
        onDropped: (stream, frame) => report({ type: 'dropped', stream, frame }),
        onKeyFrameNeeded: (stream) => report({ type: 'key-frame-needed', stream }),
        onFailed: (stream, message) => report({ type: 'failed', stream, message }),
      });
      break;
    case 'stream':
      stage?.setStream(data.stream);
      break;
    case 'packet':
      stage?.push(data.packet);
      break;
  }
});

report({ type: 'ready' });

import type { CloudBrowserElement } from 'cloud-browser/element';

/**
 * Interval for drawing the picture again, in milliseconds. A recorder writes nothing while its picture does
 * not change.
 */
const REPEAT_MS = 200;

/**
 * Records picture and sound of the session in this page. Returns a function that stops and resolves to the
 * recording.
 */
export function startRecording(browser: CloudBrowserElement): () => Promise<Blob> {
  const { viewer } = browser;
  const copy = document.createElement('canvas');
  const context = copy.getContext('2d');
  if (!viewer || !context || viewer.canvas.width === 0) throw new Error('There is no picture yet.');
  copy.width = viewer.canvas.width;
  copy.height = viewer.canvas.height;
  // A recording keeps its size. After a resize the picture is scaled to it.
  const draw = () => void context.drawImage(viewer.canvas, 0, 0, copy.width, copy.height);
  draw();
  viewer.on('frame', draw);
  const timer = setInterval(draw, REPEAT_MS);

  const stream = copy.captureStream();
  const sound = viewer.tapSound();
  if (sound) stream.addTrack(sound);
  const recorder = new MediaRecorder(stream);
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  recorder.start(1_000);

  return () =>
    new Promise((resolve) => {
      recorder.addEventListener('stop', () => {
        clearInterval(timer);
        viewer.off('frame', draw);
        for (const track of stream.getTracks()) track.stop();
        resolve(new Blob(parts, { type: recorder.mimeType }));
      });
      recorder.stop();
    });
}

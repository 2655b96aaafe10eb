import type { CloudBrowserElement } from 'cloud-browser/element';

/**
 * Takes a screenshot of the session, as a PNG with the pixels of the remote screen. Rejects if nothing is
 * shown.
 */
export async function takeScreenshot(browser: CloudBrowserElement): Promise<Blob> {
  // The canvas keeps the latest picture, also while the screen does not change and sends no frames.
  const canvas = browser.viewer?.canvas;
  if (!canvas || !browser.stats?.framesPainted) throw new Error('There is no picture yet.');
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('This browser could not make a PNG.');
  return blob;
}

/**
 * Draws each new picture into a canvas of yours, for example a thumbnail. Returns a function that stops it.
 */
export function drawPictures(browser: CloudBrowserElement, canvas: HTMLCanvasElement): () => void {
  const { viewer } = browser;
  const context = canvas.getContext('2d');
  if (!viewer || !context) throw new Error('Connect the element first.');
  const draw = (picture: CanvasImageSource) => context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  draw(viewer.canvas);
  viewer.on('frame', draw);
  return () => viewer.off('frame', draw);
}

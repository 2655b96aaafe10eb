/** One client on one canvas, without a framework. */
import { Viewer, type ViewerOptions } from './viewer.js';

export { Viewer, type ViewerOptions } from './viewer.js';
export type { ImageNotice, ViewerEvents, ViewerStats } from './viewer-events.js';

/**
 * Puts a session into an element:
 * `const viewer = createViewer({ container, embedUrl }); await viewer.connect(); … viewer.close();`
 */
export function createViewer(options: ViewerOptions): Viewer {
  return new Viewer(options);
}

/** Shows one client on one canvas, without a framework. */
import type { ViewerOptions } from './viewer-options.js';
import { Viewer } from './viewer.js';

export type { KeyboardScope, SentEvent } from '../input/index.js';
export type { PictureShift } from './picture/placement.js';
export type { ResizeMode } from './controls/auto-resize.js';
export { Viewer } from './viewer.js';
export { loadControls } from './controls/viewer-controls.js';
export type { ViewerOptions } from './viewer-options.js';
export type { CopyState, RemoteCopy } from './clipboard/copy-state.js';
export type { ViewerClipboard } from './clipboard/viewer-clipboard.js';
export type { ImageNotice, ViewerEvents, ViewerStats } from './viewer-events.js';

/**
 * Shows a session in an element: `const viewer = createViewer({ container, embedUrl }); await
 * viewer.connect(); … viewer.close();`
 */
export function createViewer(options: ViewerOptions): Viewer {
  return new Viewer(options);
}

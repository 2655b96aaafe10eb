import type { AccessibilityWatch } from '../../browser/accessibility/accessibility-watch.js';
import type { Rect } from '../../capture/frame-source.js';
import type { ScreenCamera } from '../../capture/screen-camera.js';
import type { Pages } from '../../browser/pages/pages.js';
import type { AccessibilityActions } from '../../input/accessibility-actions.js';
import type { BrowserSync } from '../../input/keyboard/browser-sync.js';

/** Functions of a browser that computer use needs. */
export interface ComputerBrowser {
  openCamera(): Promise<ScreenCamera>;
  maskedAreas(): Promise<Rect[] | 'unknown'>;
  accessibility: Pick<AccessibilityWatch, 'want' | 'whenComplete' | 'tree' | 'masking'>;
  accessibilityActions: Pick<AccessibilityActions, 'perform' | 'place'>;
  devices: {
    sync: Pick<BrowserSync, 'settled'>;
    pages: Pick<Pages, 'crashes' | 'dialogs' | 'front' | 'navigations'>;
  };
}

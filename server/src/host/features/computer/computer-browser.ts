import type { InputEvent } from 'cloud-browser/protocol';
import type { AccessibilityWatch } from '../../browser/accessibility/accessibility-watch.js';
import type { Rect } from '../../capture/frame-source.js';
import type { ScreenCamera } from '../../capture/screen-camera.js';
import type { Pages } from '../../browser/pages/pages.js';
import type { BrowserSync } from '../../input/keyboard/browser-sync.js';
import type { UserInput } from '../../input/user-input.js';

/** Outcome of an action on a node of the accessibility tree. */
type NodeOutcome = 'done' | 'gone' | 'refused';

/** Acts on nodes of the accessibility tree, see `AccessibilityActions`. */
interface NodeActions {
  place(id: number, scrolls?: boolean): Promise<{ x: number; y: number } | 'hidden' | 'gone'>;
  perform(
    actor: {
      input: UserInput;
      mayWrite: boolean;
      onPress: (event: InputEvent) => void;
      onScript: (action: 'click' | 'set') => void;
    },
    id: number,
    act: 'click' | 'set',
    value?: string,
  ): Promise<NodeOutcome>;
}

/** Functions of a browser that computer use needs. */
export interface ComputerBrowser {
  openCamera(): Promise<ScreenCamera>;
  maskedAreas(): Promise<Rect[] | 'unknown'>;
  accessibility: Pick<AccessibilityWatch, 'want' | 'whenComplete' | 'tree' | 'masking'>;
  accessibilityActions: NodeActions;
  devices: {
    sync: Pick<BrowserSync, 'settled'>;
    pages: Pick<Pages, 'crashes' | 'dialogs' | 'front' | 'navigations'>;
  };
}

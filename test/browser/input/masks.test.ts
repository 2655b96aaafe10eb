import type { Masks } from '../../../server/browser-extensions/focus/masks.js';
import { equal } from './assert.js';

const MODULE = new URL('../../../server/browser-extensions/focus/masks.ts', import.meta.url).href;
const MASK: FocusMask = {
  addresses: [{ whole: '/login$', site: '^https://login\\.example/$' }],
  selectors: ['input'],
};

declare global {
  interface Window {
    masks?: Masks;
  }
}

describe('the masks of a frame', () => {
  const before = location.href;
  let frame: HTMLIFrameElement;
  beforeEach(() => {
    frame = document.createElement('iframe');
  });
  afterEach(() => {
    frame.remove();
    history.replaceState(null, '', before);
  });

  /** Loads a frame with a field. Returns a function that returns true while the field is masked. */
  const load = async (): Promise<() => boolean | undefined> => {
    frame.srcdoc = `<input><script type="module">
      import { Masks } from ${JSON.stringify(MODULE)};
      window.masks = new Masks([${JSON.stringify(MASK)}]);
    </script>`;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    document.body.append(frame);
    await loaded;
    const [inside, field] = [frame.contentWindow, frame.contentDocument?.querySelector('input')];
    return () => (field ? inside?.masks?.covers(field) : undefined);
  };

  it('apply and end with the address of the page around it, which may change without a load', async () => {
    const isMasked = await load();
    equal(isMasked(), false);
    history.replaceState(null, '', '/login');
    equal(isMasked(), true);
    history.replaceState(null, '', '/home');
    equal(isMasked(), false);
  });
});

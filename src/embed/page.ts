/**
 * The page of an embed URL that is opened by itself or in an iframe. It shows the remote browser in the whole
 * viewport. The page's own address is the embed URL. In an iframe, it exchanges messages with the page around
 * the iframe, in the protocol of `@hyperbeam/web`.
 */
import './early.js';
import '../element/define.js';
import { focusWhenFree } from './first-focus.js';
import { tellNextSteps } from './next-steps.js';
import { setPageLanguage } from './page-language.js';
import { lookOf } from './page-look.js';
import { speakWithParent } from './parent-frame.js';

const asked = new URLSearchParams(location.search);
setPageLanguage(document.documentElement, asked.get('lang'), navigator.languages);
const { theme, controls } = lookOf(asked);
document.documentElement.dataset['theme'] = theme;
const bar = document.querySelector('meta[name=theme-color]');
bar?.setAttribute('content', getComputedStyle(document.body).backgroundColor);
const browser = document.createElement('cloud-browser');
browser.keyboardButton = controls;
// Undoes each scroll. Safari scrolls a page to the focused element even if the page is not scrollable.
window.addEventListener('scroll', () => window.scrollTo(0, 0));
// Some parameters of the page's address set attributes of the element.
for (const name of ['resize', 'accessibility']) {
  const value = asked.get(name);
  if (value !== null) browser.setAttribute(name, value);
}
const ready = window.parent === window ? Promise.resolve() : speakWithParent(browser, window.parent);
tellNextSteps(browser, window.parent);
document.querySelector('main')?.append(browser);
focusWhenFree(browser);
void ready.then(() => (browser.embedUrl = location.href));

/**
 * The page behind an embed URL that is opened by itself or in an iframe: the remote browser in the whole viewport. The
 * page's own address is the embed URL. To the page around an iframe it speaks as `@hyperbeam/web` expects it.
 */
import './early.js';
import '../element/define.js';
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
// Safari scrolls a page to what has the focus, also one that cannot be scrolled.
window.addEventListener('scroll', () => window.scrollTo(0, 0));
// What the page's own address asks for besides the session.
if (asked.get('resize') === 'auto') browser.resizeMode = 'auto';
const ready = window.parent === window ? Promise.resolve() : speakWithParent(browser, window.parent);
tellNextSteps(browser, window.parent);
document.querySelector('main')?.append(browser);
void ready.then(() => {
  browser.embedUrl = location.href;
  browser.focus();
});

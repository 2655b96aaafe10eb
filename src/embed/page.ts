/**
 * The page behind an embed URL that is opened by itself or in an iframe: the remote browser in the whole viewport. The
 * page's own address is the embed URL.
 */
import '../element/define.js';

const browser = document.createElement('cloud-browser');
browser.setAttribute('embed-url', location.href);
document.body.append(browser);
browser.focus();

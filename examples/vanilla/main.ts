import 'cloud-browser/element';
import { fetchSession } from '../shared/session.js';

const browser = document.querySelector('cloud-browser');
const words = document.querySelector('#state');
if (!browser || !words) throw new Error('The page has lost its parts.');

browser.addEventListener('statechange', ({ state }) => {
  words.textContent = state;
});
browser.embedUrl = await fetchSession();

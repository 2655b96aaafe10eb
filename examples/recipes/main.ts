import 'cloud-browser/element';
import './french.js';
import { fetchSession } from '../shared/session.js';
import { showConnecting, showPageLoading } from './loading.js';
import { startRecording } from './record.js';
import { takeScreenshot } from './screenshot.js';
import { changeSize, fillPlace } from './size.js';

const find = <T extends HTMLElement>(selector: string): T => {
  const element = document.querySelector<T>(selector);
  if (!element) throw new Error(`The page has no ${selector}.`);
  return element;
};
const browser = find<HTMLElementTagNameMap['cloud-browser']>('cloud-browser');
const shot = find<HTMLImageElement>('#shot');
const film = find<HTMLVideoElement>('#film');
const record = find('#record');
let stop: (() => Promise<Blob>) | undefined;

browser.addEventListener('statechange', ({ state }) => {
  find('#state').textContent = state;
});
showConnecting(browser, find('#connecting'));

find('#screenshot').addEventListener('click', async () => {
  shot.src = URL.createObjectURL(await takeScreenshot(browser));
  shot.hidden = false;
});
record.addEventListener('click', async () => {
  if (!stop) {
    stop = startRecording(browser);
    record.textContent = 'Stop';
    return;
  }
  film.src = URL.createObjectURL(await stop());
  film.hidden = false;
  stop = undefined;
  record.textContent = 'Record';
});
find('#small').addEventListener('click', () => void changeSize(browser, 800, 600));
find('#fill').addEventListener('click', () => fillPlace(browser));
find('#french').addEventListener('click', () => (browser.lang = 'fr'));

browser.embedUrl = await fetchSession();
await browser.connect();
await showPageLoading(browser, find('#loading'));

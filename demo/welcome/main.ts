/**
 * First page of a demo session: text, a form, a film with sound and canvases, to try the features of the
 * service.
 */
import { DrawingBoard } from './drawing-board.js';
import { showFacts } from './facts.js';
import { find } from './find.js';
import { greet } from './greeting.js';
import { Waves } from './waves.js';

const root = document.documentElement;
const film = find(HTMLVideoElement, '.film video');
const sound = find(HTMLButtonElement, '.sound');
const scheme = find(HTMLButtonElement, '.scheme');
const dark = matchMedia('(prefers-color-scheme: dark)');

new Waves(find(HTMLCanvasElement, '.waves'), find(HTMLElement, '.hero'));
const board = new DrawingBoard(find(HTMLCanvasElement, '.board'));
find(HTMLButtonElement, '[data-action=clear]').addEventListener('click', () => board.clear());
greet(find(HTMLFormElement, '.greeting'));
showFacts();

sound.addEventListener('click', () => {
  film.muted = !film.muted;
  if (!film.muted) film.currentTime = 0;
  film.play().catch(() => (film.muted = true));
});
film.addEventListener('volumechange', () => {
  sound.setAttribute('aria-pressed', String(!film.muted));
  find(HTMLElement, '.sound span').textContent = film.muted ? 'Play with sound' : 'Sound off';
});

/** Sets the button to the other colour scheme. */
function offer(isDark: boolean): void {
  find(HTMLElement, '.scheme span').textContent = isDark ? 'Light' : 'Dark';
}
let isDark = dark.matches;
offer(isDark);
dark.addEventListener('change', ({ matches }) => {
  if (root.dataset['scheme'] === undefined) offer((isDark = matches));
});
scheme.addEventListener('click', () => {
  isDark = !isDark;
  root.dataset['scheme'] = isDark ? 'dark' : 'light';
  offer(isDark);
});

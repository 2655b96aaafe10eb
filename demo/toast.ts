import { find } from './dom.js';

const SHOWN_MS = 3500;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a short message and announces it to screen readers. */
export function toast(sentence: string): void {
  const element = find('.toast');
  element.textContent = sentence;
  element.classList.add('shown');
  clearTimeout(timer);
  timer = setTimeout(() => element.classList.remove('shown'), SHOWN_MS);
}

import { find } from './dom.js';

const SHOWN_MS = 3500;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Says something in passing, to eyes and to screen readers. */
export function toast(sentence: string): void {
  const element = find('.toast');
  element.textContent = sentence;
  element.classList.add('shown');
  clearTimeout(timer);
  timer = setTimeout(() => element.classList.remove('shown'), SHOWN_MS);
}

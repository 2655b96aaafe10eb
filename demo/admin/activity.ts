import { html, render } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { find } from '../dom.js';
import type { Name } from './names.js';

/** Maximum number of lines in the list. */
const MAX_LINES = 60;

interface Line {
  number: number;
  time: string;
  userId: string;
  text: string;
}

/** List of users' actions, newest first. */
export class Activity {
  readonly #list = find('.activity-list');
  #lines: Line[] = [];
  #count = 0;

  /** @param nameOf returns a user's name on this page */
  constructor(private readonly nameOf: (userId: string) => Name) {
    this.update();
  }

  add(userId: string, text: string): void {
    this.#count += 1;
    const time = new Date().toLocaleTimeString([], { hour12: false });
    this.#lines = [{ number: this.#count, time, userId, text }, ...this.#lines].slice(0, MAX_LINES);
    this.update();
  }

  update(): void {
    const lines = repeat(
      this.#lines,
      ({ number }) => number,
      (line) => this.#line(line),
    );
    const none = html`<p class="activity-none">Who comes, goes and gets control is written here.</p>`;
    render(this.#lines.length > 0 ? html`${lines}` : none, this.#list);
  }

  #line({ time, userId, text }: Line) {
    const { text: name, colour } = this.nameOf(userId);
    return html`<p class="activity-line">
      <span class="activity-dot" data-colour=${colour}></span>
      <span><b>${name}</b> ${text}</span>
      <time>${time}</time>
    </p>`;
  }
}

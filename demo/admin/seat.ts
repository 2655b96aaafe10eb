import '../../src/element/define.js';
import type { CloudBrowserElement } from '../../src/element/define.js';
import type { CloudBrowserClient, SessionUser } from '../../src/index.js';
import { STATUS } from '../view/connection-status.js';
import { make } from '../dom.js';
import { attempt } from '../session/attempt.js';
import type { Name, Names } from './names.js';
import { PeerPointers } from './peer-pointers.js';
import { standing } from './roles.js';

/** Options of a seat. */
export interface SeatParts {
  name: Name;
  names: Names;
  /** Makes this seat's user an admin. */
  adminToken?: string;
}

/** A viewer in its window, with buttons for its user. */
export class Seat {
  readonly element: HTMLElement;
  readonly browser: CloudBrowserElement;
  readonly #names: Names;
  readonly #name: Name;
  readonly #status = make('p', 'status');
  readonly #statusText = make('span', 'status-text');
  readonly #badge = make('p', 'badge');
  readonly #control: HTMLButtonElement;
  readonly #door = button('Leave');
  readonly #isAdmin: boolean;
  readonly #pointers: PeerPointers;
  #client: CloudBrowserClient | undefined;

  constructor({ name, names, adminToken }: SeatParts) {
    this.#name = name;
    this.#names = names;
    this.#isAdmin = adminToken !== undefined;
    this.browser = document.createElement('cloud-browser');
    this.browser.label = `Remote browser of ${name.text}`;
    this.browser.adminToken = adminToken;
    // Otherwise the page would play the sound twice.
    this.browser.muted = !this.#isAdmin;
    // A phone has room for the first word only.
    this.#control = button(
      this.#isAdmin ? 'Take' : 'Ask',
      make('span', 'wide-only', this.#isAdmin ? ' control' : ' for control'),
    );
    this.#control.ariaLabel = this.#isAdmin ? 'Take control' : 'Ask for control';
    this.#control.dataset['do'] = 'control';
    this.#door.dataset['do'] = 'door';
    this.#door.hidden = this.#isAdmin;
    this.element = this.#window();
    this.#pointers = new PeerPointers(this.browser, names.of);
    this.browser.addEventListener('viewer', ({ viewer: { client } }) => {
      if (client === this.#client) return;
      this.#client = client;
      attempt(this.#pointers.follow(client));
      attempt(client.users.on('changed', (user) => this.#changed(user)));
    });
    this.browser.addEventListener('connect', ({ userId }) => {
      this.#names.set(userId, name);
      if (this.#client) attempt(this.#client.users.me().then((user) => this.#changed(user)));
    });
    this.browser.addEventListener('statechange', () => {
      this.#pointers.clear();
      this.#showState();
    });
    this.#control.addEventListener('click', () => this.#askOrTake());
    this.#door.addEventListener('click', () => this.#enterOrLeave());
    this.#showState();
  }

  /** Connects this seat's user to a session. */
  join(embedUrl: string): void {
    this.browser.embedUrl = embedUrl;
  }

  #window(): HTMLElement {
    const { text, colour } = this.#name;
    const avatar = make('span', 'avatar', text.charAt(0));
    avatar.dataset['colour'] = String(colour);
    avatar.setAttribute('aria-hidden', 'true');
    this.#status.append(make('span', 'status-dot'), this.#statusText);
    const bar = make('div', 'seat-bar', avatar, make('b', 'seat-name', text), this.#status, this.#badge);
    bar.append(make('span', 'seat-tools', this.#control, this.#door));
    const element = make('article', 'seat', bar, this.browser);
    element.setAttribute('aria-label', text);
    return element;
  }

  /**
   * Handles changed roles or control of a user. Users who are not admins receive only events about
   * themselves.
   */
  #changed(user: SessionUser): void {
    if (user.id !== this.#client?.userId) return;
    const { controlling } = user;
    this.element.classList.toggle('controls', controlling);
    this.#badge.classList.toggle('on', controlling);
    this.#badge.textContent = standing(user);
    // The session sends no more events about the visible pointers. So remove them.
    if (!user.roles.includes('cursor_data')) this.#pointers.clear();
    this.#control.disabled = controlling && !this.#isAdmin;
  }

  #askOrTake(): void {
    const { users } = this.#client ?? {};
    if (users) attempt(this.#isAdmin ? users.takeControl() : users.requestControl());
  }

  #enterOrLeave(): void {
    // The state of the connection shows the result.
    if (this.browser.state === 'playing') this.browser.disconnect();
    else this.browser.connect().catch(() => undefined);
  }

  #showState(): void {
    const { state } = this.browser;
    const playing = state === 'playing';
    this.#status.dataset['status'] = state;
    this.#statusText.textContent = STATUS[state] ?? state;
    this.#badge.hidden = this.#control.hidden = !playing;
    this.#door.textContent = state === 'closed' || state === 'failed' ? 'Join again' : 'Leave';
    if (!playing) this.element.classList.remove('controls');
  }
}

function button(...words: (Node | string)[]): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'button small';
  element.append(...words);
  return element;
}

import type { SessionRow } from '../../../src/api/index.js';
import { ApiKey } from '../../api-key.js';
import { ApiError } from '../../api.js';
import { find, findA, onAction, setText } from '../../dom.js';
import { sentence } from '../../session/session-keeper.js';
import { PAGE_CLOCK } from '../page-clock.js';
import { Watch } from '../watch.js';
import { addressOf, listSessions, takePicture, type RunningSessions } from './overview-requests.js';
import { PictureSchedule, type PictureResult } from './picture-schedule.js';
import { scaleFor, screenOf } from './picture-size.js';
import { SessionGrid } from './session-grid.js';
import type { SessionTile } from './session-tile.js';
import { hasEnded, isPrivate, problemText, sessionsText, stateText } from './session-words.js';

/** Milliseconds between two requests for the list. */
const LIST_PACE_MS = 10_000;
/** Number of sessions that the panel shows at first, and adds on request. */
const PART = 100;

/** Running sessions of the service with a picture of each, with the visitor's API key. */
export class SessionsPanel {
  readonly #apiKey = new ApiKey();
  readonly #content = find('.sessions-content');
  readonly #status = find('.sessions-status');
  readonly #toggle = findA(HTMLButtonElement, "[data-action='show-sessions']");
  readonly #more = findA(HTMLButtonElement, "[data-action='more-sessions']");
  readonly #again = findA(HTMLButtonElement, "[data-action='sessions-again']");
  readonly #schedule = new PictureSchedule({ take: (id) => this.#take(id), clock: PAGE_CLOCK });
  readonly #grid = new SessionGrid({
    onChange: (tile, visible, before) => this.#changed(tile, visible, before),
    onRemove: (id) => this.#schedule.forget(id),
  });
  readonly #watch = new Watch<RunningSessions>({
    ask: () => listSessions(this.#key, this.#limit),
    clock: PAGE_CLOCK,
    pace: LIST_PACE_MS,
    onAnswer: (answer) => this.#show(answer),
    onFailure: (error) => this.#failed(error),
  });
  readonly #addresses = new Map<string, string>();
  /** Sessions that ended. A late list may still contain them. */
  readonly #ended = new Set<string>();
  #key = '';
  #limit = PART;

  constructor() {
    onAction('show-sessions', () => {
      if (this.#content.hidden) void this.#open();
      else this.close();
    });
    onAction('more-sessions', () => {
      this.#limit = this.#grid.size + PART;
      this.#watch.start();
    });
    onAction('sessions-again', () => void this.#start());
    document.addEventListener('visibilitychange', () => this.#follow());
    this.#follow();
  }

  /** Closes the panel, and forgets its pictures. It is safe to call it twice. */
  close(): void {
    this.#reveal(false);
    this.#watch.stop();
    this.#schedule.clear();
    this.#grid.show([]);
    this.#addresses.clear();
    this.#ended.clear();
    this.#limit = PART;
    this.#more.hidden = this.#again.hidden = true;
    setText(this.#status, '');
  }

  async #open(): Promise<void> {
    if (await this.#start()) this.#reveal(true);
  }

  /** Asks for a key if there is none, and for the list. Resolves to false if the visitor gives no key. */
  async #start(): Promise<boolean> {
    const key = await this.#apiKey.get().catch(() => null);
    if (key === null) return false;
    this.#key = key;
    if (!this.#again.hidden) {
      this.#again.hidden = true;
      // The hidden button had the focus.
      this.#toggle.focus();
    }
    this.#watch.start();
    return true;
  }

  #reveal(open: boolean): void {
    this.#content.hidden = !open;
    this.#toggle.textContent = open ? 'Hide' : 'Show';
    this.#toggle.setAttribute('aria-expanded', String(open));
  }

  /** Requests nothing while nobody can see the page. */
  #follow(): void {
    for (const part of [this.#watch, this.#schedule])
      if (document.hidden) part.pause();
      else part.resume();
  }

  #show({ sessions, more }: RunningSessions): void {
    const running = sessions.filter(({ id }) => !this.#ended.has(id));
    const count = this.#grid.size;
    const hadFocus = document.activeElement === this.#more;
    this.#grid.show(running);
    this.#more.hidden = !more;
    setText(this.#status, sessionsText(running.length, more));
    if (hadFocus && !more) this.#grid.focus(Math.min(count, running.length - 1));
  }

  /** Takes pictures of running sessions on the screen. A frozen session would be continued by a picture. */
  #changed({ session }: SessionTile, visible: boolean, before: SessionRow): void {
    this.#schedule.want(session.id, visible && stateText(session) === undefined);
    if (before.viewers === 0 && session.viewers > 0) this.#schedule.hasten(session.id);
  }

  async #take(id: string): Promise<PictureResult> {
    const tile = this.#grid.get(id);
    if (!tile) return 'failed';
    try {
      const address = this.#addresses.get(id) ?? (await addressOf(this.#key, id));
      this.#addresses.set(id, address);
      const scale = scaleFor(tile.screen);
      const { size, changed } = await tile.show(await takePicture(this.#key, address, scale));
      tile.screen = screenOf(size, scale);
      return changed || tile.session.viewers > 0 ? 'taken' : 'idle';
    } catch (error) {
      return this.#pictureFailed(tile, error);
    }
  }

  #pictureFailed(tile: SessionTile, error: unknown): PictureResult {
    const { id } = tile.session;
    // The panel was closed meanwhile.
    if (this.#grid.get(id) !== tile) return 'failed';
    if (hasEnded(error)) {
      this.#ended.add(id);
      this.#grid.remove(id);
      this.#watch.askNow();
    } else if (isPrivate(error)) {
      tile.hide('A user is in privacy mode.');
      return 'taken';
    } else if (isRefused(error)) this.#failed(error);
    else tile.fail(problemText(error));
    return 'failed';
  }

  #failed(error: unknown): void {
    if (isRefused(error)) {
      this.#apiKey.forget();
      this.#watch.stop();
      this.#grid.show([]);
      this.#more.hidden = true;
      this.#again.hidden = false;
    }
    setText(this.#status, sentence(error));
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

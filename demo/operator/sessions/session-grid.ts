import type { SessionRow } from '../../../src/api/index.js';
import { find } from '../../dom.js';
import { SessionTile } from './session-tile.js';

/** Pictures are taken a little before their tile is on the screen. */
const MARGIN = '120px';

/** Options of a {@link SessionGrid}. */
export interface SessionGridParts {
  /** Called when a tile comes onto the screen or leaves it, and when the state of its session changes. */
  onChange: (tile: SessionTile, visible: boolean, before: SessionRow) => void;
  /** Called when a tile was removed. */
  onRemove: (id: string) => void;
}

/** Grid of tiles, one for each session, in the order of the list. */
export class SessionGrid {
  readonly #list = find('.tiles');
  readonly #tiles = new Map<string, SessionTile>();
  readonly #visible = new Set<SessionTile>();
  readonly #byElement = new Map<Element, SessionTile>();
  readonly #observer = new IntersectionObserver((entries) => this.#moved(entries), { rootMargin: MARGIN });

  constructor(private readonly parts: SessionGridParts) {}

  get size(): number {
    return this.#tiles.size;
  }

  get(id: string): SessionTile | undefined {
    return this.#tiles.get(id);
  }

  /** Shows these sessions and no others. */
  show(sessions: readonly SessionRow[]): void {
    const ids = new Set(sessions.map(({ id }) => id));
    for (const id of [...this.#tiles.keys()]) if (!ids.has(id)) this.remove(id);
    sessions.forEach((session, index) => {
      const tile = this.#tiles.get(session.id) ?? this.#add(session);
      const there = this.#list.children[index];
      if (there !== tile.element) this.#list.insertBefore(tile.element, there ?? null);
      const before = tile.session;
      tile.update(session);
      this.parts.onChange(tile, this.#visible.has(tile), before);
    });
  }

  /** Removes the tile of a session. */
  remove(id: string): void {
    const tile = this.#tiles.get(id);
    if (!tile) return;
    this.#observer.unobserve(tile.element);
    this.#tiles.delete(id);
    this.#byElement.delete(tile.element);
    this.#visible.delete(tile);
    tile.remove();
    this.parts.onRemove(id);
  }

  /** Moves the focus to a tile. */
  focus(index: number): void {
    (this.#list.children[index] as HTMLElement | undefined)?.focus();
  }

  #add(session: SessionRow): SessionTile {
    const tile = new SessionTile(session);
    this.#tiles.set(session.id, tile);
    this.#byElement.set(tile.element, tile);
    this.#observer.observe(tile.element);
    return tile;
  }

  #moved(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const tile = this.#byElement.get(target);
      if (!tile) continue;
      if (isIntersecting) this.#visible.add(tile);
      else this.#visible.delete(tile);
      this.parts.onChange(tile, isIntersecting, tile.session);
    }
  }
}

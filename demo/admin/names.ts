/** Name and colour of a user on this page. */
export interface Name {
  text: string;
  /** Index of one of the page's user colours, from 0. */
  colour: number;
}

/** Number of user colours on the page. The first two belong to the page's own viewers. */
const COLOURS = 5;

/** Gives names to users. A session has only user ids, and names are up to the application. */
export class Names {
  /** Called after a user's name has changed. */
  onChange: () => void = () => undefined;
  readonly #given = new Map<string, Name>();
  #visitors = 0;

  /**
   * Sets the name of this page's own viewer. The panel may have received its id before and called it a
   * visitor.
   */
  set(userId: string, name: Name): void {
    if (this.#given.get(userId)?.text === `Visitor ${this.#visitors}`) this.#visitors -= 1;
    this.#given.set(userId, name);
    this.onChange();
  }

  readonly of = (userId: string): Name => {
    const known = this.#given.get(userId);
    if (known) return known;
    this.#visitors += 1;
    const name = { text: `Visitor ${this.#visitors}`, colour: 2 + ((this.#visitors - 1) % (COLOURS - 2)) };
    this.#given.set(userId, name);
    return name;
  };
}

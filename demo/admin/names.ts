/** A person's name and colour on this page. */
export interface Name {
  text: string;
  /** One of the page's colours for people, from 0. */
  colour: number;
}

/** How many colours for people the page has; the first two are those of its own viewers. */
const COLOURS = 5;

/** Gives users names: a session knows ids only, and names are the application's task. */
export class Names {
  /** Is called after a user's name has changed. */
  onChange: () => void = () => undefined;
  readonly #given = new Map<string, Name>();
  #visitors = 0;

  /** This page's own viewer. The panel may have heard of them before they learnt who they are. */
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

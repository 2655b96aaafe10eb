/** A user's keyboard, which may hold modifiers on the display. */
export interface ModifierHolder {
  /** Releases the modifiers on the display, although the user still holds them. */
  suspendModifiers(): void;
}

/**
 * Modifiers of the display, which all users share. Only the user who acts has modifiers pressed. Otherwise
 * the Control key that one user holds would turn the letters of another user into shortcuts.
 */
export class SharedModifiers {
  #holder: ModifierHolder | undefined;

  /**
   * Call it before a user presses something. Suspends the modifiers of the user who acted before. The next
   * press of that user contains them, so the host presses them again.
   */
  take(holder: ModifierHolder): void {
    if (this.#holder !== holder) this.#holder?.suspendModifiers();
    this.#holder = holder;
  }

  /**
   * Suspends the modifiers of all users, also those of the user who acts. Call it before the host types text
   * on the display, because the text already contains their effect.
   */
  suspendAll(): void {
    this.#holder?.suspendModifiers();
    this.#holder = undefined;
  }
}

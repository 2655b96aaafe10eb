import { TEXTS } from '../built-in.js';
import { HostWords, type WordsHost } from './host-words.js';
import type { BuiltInKey, Words } from '../texts.js';

/** The part of the element that {@link ElementWords} needs. */
export interface NamedHost extends WordsHost {
  /** Label of the picture that the page sets. */
  readonly label: string;
  readonly renderRoot: ParentNode;
}

/** Texts of one element that shows a session, and the names of its input fields. */
export class ElementWords extends HostWords<NamedHost> implements Words {
  /** Original English descriptions of the input fields. */
  readonly #descriptions = new WeakMap<Element, string>();

  /** Accessible name of the picture. */
  get label(): string {
    return this.host.label || this.say('label');
  }

  say(key: BuiltInKey): string {
    return this.told(key, TEXTS[key]);
  }

  override hostConnected(): void {
    super.hostConnected();
    // Input fields may be created later, for example the first password field.
    this.host.addEventListener('focusin', this.#name);
  }

  hostUpdated(): void {
    this.#name();
  }

  override hostDisconnected(): void {
    super.hostDisconnected();
    this.host.removeEventListener('focusin', this.#name);
  }

  /** The viewer creates the fields with English names and descriptions. */
  readonly #name = (): void => {
    for (const field of this.host.renderRoot.querySelectorAll('.surface textarea, .surface input')) {
      field.setAttribute('aria-label', this.label);
      const english = this.#descriptions.get(field) ?? field.getAttribute('aria-description') ?? '';
      this.#descriptions.set(field, english);
      field.setAttribute('aria-description', this.told('keys', english));
    }
  };
}

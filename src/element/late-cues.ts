import type { LitElement, ReactiveController } from 'lit';
import { LatePart } from '../core/late-part.js';
import type * as CuesPart from './cues.js';
import { CloudBrowserErrorEvent } from './events.js';
import type { KeyboardManners, MannersHost } from './keyboard-manners.js';

type Cues = typeof CuesPart;

/** The words and buttons over a picture that plays, and the manners of the keyboard in it: loaded beside the first one. */
export class LateCues implements ReactiveController {
  #part: LatePart<Cues> | undefined;
  #cues: Cues | undefined;
  #manners: KeyboardManners | undefined;
  /** Before the manners are there. */
  #movedByScript = false;

  constructor(private readonly host: LitElement & MannersHost) {
    host.addController(this);
  }

  /** Undefined until they are there; asking for them has them loaded. */
  get views(): Cues | undefined {
    this.#part ??= new LatePart({
      load: () => import('./cues.js'),
      onLoaded: (cues) => this.#loaded(cues),
      onFailure: (error) => this.host.dispatchEvent(new CloudBrowserErrorEvent(error)),
    });
    return this.#cues;
  }

  /** Undefined until they are there. */
  get manners(): KeyboardManners | undefined {
    return this.#manners;
  }

  /** A script is about to give the keyboard to the element. */
  movedByScript(): void {
    if (this.#manners) this.#manners.movedByScript();
    else this.#movedByScript ||= document.hasFocus();
  }

  hostDisconnected(): void {
    if (this.#cues) return;
    this.#part?.close();
    this.#part = undefined;
  }

  #loaded(cues: Cues): void {
    this.#cues = cues;
    this.#manners = new cues.KeyboardManners(this.host, this.#movedByScript);
    const { renderRoot: root } = this.host;
    const sheets = cues.styles.flatMap(({ styleSheet }) => styleSheet ?? []);
    if (root instanceof ShadowRoot) root.adoptedStyleSheets.push(...sheets);
    this.host.requestUpdate();
  }
}

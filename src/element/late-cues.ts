import type { LitElement, ReactiveController } from 'lit';
import { LatePart } from '../core/late-part.js';
import type * as CuesPart from './cues.js';
import { CloudBrowserErrorEvent } from './events.js';

type Cues = typeof CuesPart;

/** The words and buttons over a picture that plays: loaded beside the first one. */
export class LateCues implements ReactiveController {
  #part: LatePart<Cues> | undefined;
  #cues: Cues | undefined;

  constructor(private readonly host: LitElement) {
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

  hostDisconnected(): void {
    if (this.#cues) return;
    this.#part?.close();
    this.#part = undefined;
  }

  #loaded(cues: Cues): void {
    this.#cues = cues;
    const { renderRoot: root } = this.host;
    const sheets = cues.styles.flatMap(({ styleSheet }) => styleSheet ?? []);
    if (root instanceof ShadowRoot) root.adoptedStyleSheets.push(...sheets);
    this.host.requestUpdate();
  }
}

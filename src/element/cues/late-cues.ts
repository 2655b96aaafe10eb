import type { LitElement, ReactiveController } from 'lit';
import { LatePart } from '../../core/late-part.js';
import type * as CuesPart from './cues.js';
import type { Viewer } from '../../viewer/index.js';
import type { AgentPointers } from '../agents/agent-pointers.js';
import { CloudBrowserErrorEvent } from '../events.js';
import type { KeyboardManners, MannersHost } from '../keyboard/keyboard-manners.js';

type Cues = typeof CuesPart;

/** Loads the views over a playing picture and the keyboard handling, when the picture first plays. */
export class LateCues implements ReactiveController {
  #part: LatePart<Cues> | undefined;
  #cues: Cues | undefined;
  #manners: KeyboardManners | undefined;
  #pointers: AgentPointers | undefined;
  /** True if a script moved the focus before the keyboard handling was loaded. */
  #movedByScript = false;

  constructor(private readonly host: LitElement & MannersHost) {
    host.addController(this);
  }

  /** Views over the picture. Undefined until they are loaded. Reading this property starts the loading. */
  get views(): Cues | undefined {
    this.#part ??= new LatePart({
      load: () => import('./cues.js'),
      onLoaded: (cues) => this.#loaded(cues),
      onFailure: (error) => this.host.dispatchEvent(new CloudBrowserErrorEvent(error)),
    });
    return this.#cues;
  }

  /** Keyboard handling. Undefined until it is loaded. */
  get manners(): KeyboardManners | undefined {
    return this.#manners;
  }

  /**
   * Shows the pointers of agents over the picture of a viewer, as soon as the views are loaded.
   *
   * @param layer element that covers the picture
   */
  showAgents(viewer: Viewer | undefined, layer: HTMLElement | null): void {
    if (this.#pointers && this.#pointers.viewer !== viewer) {
      this.#pointers.close();
      this.#pointers = undefined;
    }
    if (!viewer || !layer) return;
    const { agents } = viewer.client;
    if (agents.length > 0 && this.#cues) this.#pointers ??= new this.#cues.AgentPointers(viewer, layer);
    this.#pointers?.keep(agents);
  }

  /** Records that a script will focus the element. */
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

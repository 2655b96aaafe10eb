import type { LitElement, ReactiveController } from 'lit';
import { LatePart } from '../../core/late-part.js';
import type { PlayingFoot, PlayingFootHost } from './playing-foot.js';
import type * as PlayingPart from './playing-views.js';
import type { Viewer } from '../../viewer/index.js';
import type { AgentPointers } from '../agents/agent-pointers.js';
import type { DialogCard, DialogCardHost } from '../dialogs/dialog-card.js';
import type { KeyboardNavigation, KeyboardNavigationHost } from '../keyboard/keyboard-navigation.js';
import { reportFailure } from '../report-failure.js';

type PlayingModule = typeof PlayingPart;

/**
 * Loads the views over a playing picture and the keyboard handling when the element plays for the first time.
 */
export class LatePlayingViews implements ReactiveController {
  #part: LatePart<PlayingModule> | undefined;
  #playing: PlayingModule | undefined;
  #keyboardNavigation: KeyboardNavigation | undefined;
  #foot: PlayingFoot | undefined;
  #dialog: DialogCard | undefined;
  #pointers: AgentPointers | undefined;
  /** True if a script focused the element before the keyboard handling was loaded. */
  #movedByScript = false;

  constructor(private readonly host: LitElement & KeyboardNavigationHost & PlayingFootHost & DialogCardHost) {
    host.addController(this);
  }

  /** Views over the picture. Undefined until they are loaded. Reading this property starts the loading. */
  get views(): PlayingModule | undefined {
    this.#part ??= new LatePart({
      load: () => import('./playing-views.js'),
      onLoaded: (playing) => this.#loaded(playing),
      onFailure: (error) => reportFailure(this.host, error),
    });
    return this.#playing;
  }

  /** Messages at the lower edge of the picture. Undefined until they are loaded. */
  get foot(): PlayingFoot | undefined {
    return this.#foot;
  }

  /** The dialog of a page over the picture. Undefined until it is loaded. */
  get dialog(): DialogCard | undefined {
    return this.#dialog;
  }

  /** Keyboard handling. Undefined until it is loaded. */
  get keyboardNavigation(): KeyboardNavigation | undefined {
    return this.#keyboardNavigation;
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
    if (agents.length > 0 && this.#playing) this.#pointers ??= new this.#playing.AgentPointers(viewer, layer);
    this.#pointers?.keep(agents);
  }

  /**
   * False if the user of a touch device cannot have control, so an on-screen keyboard would be of no use. The
   * first call asks the session. True until it has answered.
   */
  mayType(viewer: Viewer | undefined): boolean {
    return !viewer || (this.#playing?.mayType(viewer.client, this.host) ?? true);
  }

  /** Records that a script will focus the element. */
  movedByScript(): void {
    if (this.#keyboardNavigation) this.#keyboardNavigation.movedByScript();
    else this.#movedByScript ||= document.hasFocus();
  }

  hostDisconnected(): void {
    if (this.#playing) return;
    this.#part?.close();
    this.#part = undefined;
  }

  #loaded(playing: PlayingModule): void {
    this.#playing = playing;
    this.#keyboardNavigation = new playing.KeyboardNavigation(this.host, this.#movedByScript);
    this.#foot = new playing.PlayingFoot(this.host);
    this.#dialog = new playing.DialogCard(this.host);
    const { renderRoot: root } = this.host;
    const sheets = playing.styles.flatMap(({ styleSheet }) => styleSheet ?? []);
    if (root instanceof ShadowRoot) root.adoptedStyleSheets.push(...sheets);
    this.host.requestUpdate();
  }
}

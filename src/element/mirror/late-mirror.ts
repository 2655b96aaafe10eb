import type { ReactiveController, TemplateResult } from 'lit';
import { LatePart } from '../../core/late-part.js';
import { reportFailure } from '../report-failure.js';
import type * as MirrorPart from './mirror-on-demand.js';
import type { MirrorOwner } from './mirror-owner.js';

/** Loads the mirror of an element when the page sets `accessibility` to `ask` or `mirror`. */
export class LateMirror implements ReactiveController {
  #part: LatePart<typeof MirrorPart> | undefined;
  #mirror: MirrorPart.MirrorOnDemand | undefined;

  constructor(private readonly owner: MirrorOwner) {
    owner.addController(this);
  }

  /** View of the mirror, which is rendered before the picture. Undefined until the mirror is loaded. */
  get view(): TemplateResult | undefined {
    if (this.owner.accessibility !== 'none')
      this.#part ??= new LatePart({
        load: () => import('./mirror-on-demand.js'),
        onLoaded: ({ MirrorOnDemand: Mirror }) => {
          this.#mirror = new Mirror(this.owner, this.#loadTree);
          this.owner.requestUpdate();
        },
        onFailure: this.#report,
      });
    return this.#mirror?.view();
  }

  hostUpdated(): void {
    this.#mirror?.update();
  }

  hostDisconnected(): void {
    this.#mirror?.close();
    if (this.#mirror) return;
    this.#part?.close();
    this.#part = undefined;
  }

  readonly #loadTree: MirrorPart.LoadTree = (client, onLoaded) =>
    new LatePart({ load: () => client.accessibility(), onLoaded, onFailure: this.#report });

  readonly #report = (error: Error): void => reportFailure(this.owner, error);
}

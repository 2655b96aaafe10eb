import type { CloudBrowserClient, Fit } from '../core/index.js';
import { AutoResize, type ResizeMode } from './auto-resize.js';
import { Placement } from './placement.js';

/** What a stage is made of. */
export interface StageParts {
  canvas: HTMLCanvasElement;
  container: HTMLElement;
  client: CloudBrowserClient;
  fit: Fit;
  /** Told when the picture may lie elsewhere, see `ViewerEvents.place`. */
  onPlaced: (exact: boolean) => void;
}

/** Where a viewer shows the remote screen: how the picture lies there, and whether the screen follows the size of that place. */
export class Stage {
  readonly placement: Placement;
  readonly #client: CloudBrowserClient;
  readonly #autoResize: AutoResize;
  #resizeMode: ResizeMode = 'none';
  #viewOnly = true;

  constructor({ canvas, container, client, fit, onPlaced }: StageParts) {
    this.#client = client;
    this.placement = new Placement(canvas, fit, container);
    this.#autoResize = new AutoResize(client);
    this.placement.onPlaced = onPlaced;
    this.placement.onBox = this.#autoResize.follow;
    this.#scaled(client.pixelRatio);
    client.on('pixelRatio', this.#scaled);
  }

  get resizeMode(): ResizeMode {
    return this.#resizeMode;
  }

  set resizeMode(mode: ResizeMode) {
    this.#resizeMode = mode;
    this.#decide();
  }

  /** Who only views decides nothing. */
  set viewOnly(viewOnly: boolean) {
    this.#viewOnly = viewOnly;
    this.#decide();
  }

  close(): void {
    this.viewOnly = true;
    this.#client.off('pixelRatio', this.#scaled);
    this.#autoResize.close();
    this.placement.close();
  }

  readonly #scaled = (ratio: number): void => void (this.placement.pixelRatio = ratio);

  #decide(): void {
    this.#autoResize.on = this.#resizeMode === 'auto' && !this.#viewOnly;
  }
}

import type { CloudBrowserClient, Fit } from '../core/index.js';
import { Placement } from './placement.js';

/** Options of a stage. */
export interface StageParts {
  canvas: HTMLCanvasElement;
  container: HTMLElement;
  client: CloudBrowserClient;
  fit: Fit;
  /** Called when the picture may have moved, see `ViewerEvents.place`. */
  onPlaced: (exact: boolean) => void;
}

/** Places the remote screen of a viewer in its container. */
export class Stage {
  readonly placement: Placement;
  readonly #client: CloudBrowserClient;

  constructor({ canvas, container, client, fit, onPlaced }: StageParts) {
    this.#client = client;
    this.placement = new Placement(canvas, fit, container);
    this.placement.onPlaced = onPlaced;
    this.#scaled(client.pixelRatio);
    client.on('pixelRatio', this.#scaled);
  }

  close(): void {
    this.#client.off('pixelRatio', this.#scaled);
    this.placement.close();
  }

  readonly #scaled = (ratio: number): void => void (this.placement.pixelRatio = ratio);
}

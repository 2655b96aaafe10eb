import type { CloudBrowserClient, Fit } from '../../core/index.js';
import { Placement } from './placement.js';

/** Options of a stage. */
export interface StageParts {
  canvas: HTMLCanvasElement;
  container: HTMLElement;
  client: CloudBrowserClient;
  fit: Fit;
}

/** Places the remote screen of a viewer in its container. */
export class Stage {
  readonly placement: Placement;
  readonly #client: CloudBrowserClient;

  constructor({ canvas, container, client, fit }: StageParts) {
    this.#client = client;
    this.placement = new Placement(canvas, fit, container);
    this.#scaled(client.pixelRatio);
    client.on('pixelRatio', this.#scaled);
  }

  close(): void {
    this.#client.off('pixelRatio', this.#scaled);
    this.placement.close();
  }

  readonly #scaled = (ratio: number): void => void (this.placement.pixelRatio = ratio);
}

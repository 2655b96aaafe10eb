import type { Socket } from 'node:net';
import type { ServerDisconnectReason } from 'cloud-browser/protocol';
import type { WebSocket } from 'ws';
import type { ViewerHandover } from '../../../host-protocol.js';
import { ViewerEntrance } from './viewer-entrance.js';

/** Viewers whose connections the service has passed on, until they have entered the room or are gone. */
export class ArrivingViewers {
  readonly #entrance = new ViewerEntrance();
  readonly #users = new Set<string>();

  /** @param onArrived called once for each viewer that has entered or is gone */
  constructor(private readonly onArrived: (userId: string) => void) {}

  /** True while any viewer is arriving. */
  get any(): boolean {
    return this.#users.size > 0;
  }

  /** Takes over a viewer's TCP connection. The service has read and allowed its upgrade request. */
  take(viewer: ViewerHandover, socket: Socket): void {
    this.#users.add(viewer.userId);
    socket.once('close', () => this.#arrived(viewer));
    this.#entrance.take(viewer, socket);
  }

  /** Lets the waiting viewers enter. Later viewers enter immediately. */
  open(enter: (socket: WebSocket, viewer: ViewerHandover) => Promise<void>): void {
    this.#entrance.open((socket, viewer) => void enter(socket, viewer).finally(() => this.#arrived(viewer)));
  }

  /** Closes the waiting connections of a room that never opened. */
  close(reason: ServerDisconnectReason, message: string): void {
    this.#entrance.close(reason, message);
  }

  #arrived({ userId }: ViewerHandover): void {
    if (this.#users.delete(userId)) this.onArrived(userId);
  }
}

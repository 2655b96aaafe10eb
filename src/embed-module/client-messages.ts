import type { EventEmitter } from 'eventemitter3';
import type { ClientEvents, Size } from '../core/index.js';
import { isUserdata, type Userdata, type Welcome } from '../protocol/index.js';
import type { SentEvent, Viewer } from '../viewer/index.js';
import { asCall, disconnectType, type FromEmbed } from './messages.js';
import { PeerPointers } from './peer-pointers.js';
import { RemoteCalls } from './remote-calls.js';

/**
 * Connects the public client `@hyperbeam/web` with one viewer. Converts the client's messages to calls of the
 * viewer, and the viewer's events to messages. Sends the message `connection` only once, after the first
 * connection, because a reconnect keeps the user. Sends `resize` only after `connection`.
 */
export class ClientMessages {
  readonly #viewer: Viewer;
  readonly #post: (message: FromEmbed) => void;
  readonly #calls: RemoteCalls;
  readonly #peers: PeerPointers;
  readonly #unsubscribe: (() => void)[] = [];
  #announced = false;

  /** @param timeout milliseconds after which the client stops waiting for an answer */
  constructor(viewer: Viewer, post: (message: FromEmbed) => void, timeout?: number) {
    this.#viewer = viewer;
    this.#post = post;
    this.#calls = new RemoteCalls(viewer, post, timeout);
    this.#peers = new PeerPointers(viewer, post);
    this.#follow('state', ({ state }) => {
      // The message `disconnect` reports the end instead.
      if (state !== 'idle' && state !== 'closed') post({ type: 'connection_state', data: { state } });
    });
    this.#follow('welcome', (welcome) => this.#welcomed(welcome));
    this.#follow('rtt', (data) => post({ type: 'rtt', data }));
    this.#follow('disconnect', ({ reason }) =>
      post({
        type: 'disconnect',
        data: { type: disconnectType(reason) },
      }),
    );
    this.#follow('closeWarning', ({ type, deadline }) =>
      post({
        type: 'close_warning',
        data: {
          type,
          ...(deadline && {
            deadline: { delay: deadline.delay * 1000, closeDate: deadline.closeDate.toISOString() },
          }),
        },
      }),
    );
    const resized = (size: Size): void => {
      if (this.#announced) post({ type: 'resize', data: this.#inCssPixels(size) });
    };
    viewer.on('resize', resized);
    this.#unsubscribe.push(() => viewer.off('resize', resized));
  }

  /**
   * Handles a message of the client: a call, a setting, or an input event such as `keydown`. Ignores unknown
   * messages.
   */
  handle(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    const said = message as Record<string, unknown>;
    const call = asCall(said);
    if (call) void this.#calls.perform(call);
    else this.#set(said);
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#calls.close();
    this.#peers.close();
  }

  #set(message: Record<string, unknown>): void {
    const viewer = this.#viewer;
    const { client } = viewer;
    const { type, data } = message;
    switch (type) {
      case 'webhook_auth':
        client.setUserdata(userdataOf(data));
        break;
      case 'admin_token':
        client.remote.adminToken = typeof data === 'string' ? data : undefined;
        break;
      case 'video_paused':
        viewer.videoPaused = data === true;
        break;
      case 'disable_input':
        viewer.viewOnly = data === true;
        break;
      case 'ping':
        client.ping().catch(() => undefined);
        break;
      case 'reconnect':
        // The message `connection_state` reports the result.
        client.reconnect().catch(() => undefined);
        break;
      case 'blur':
        // The page that contains the embed has lost the focus and receives no keyup events. So all keys that
        // the page has forwarded are released.
        viewer.releaseSentKeys();
        break;
      default:
        viewer.sendEvent(message as SentEvent);
    }
  }

  #welcomed(welcome: Welcome): void {
    this.#peers.follow();
    if (this.#announced) return;
    this.#announced = true;
    const { userId, maxArea } = welcome;
    const area = Math.floor(maxArea / this.#viewer.client.pixelRatio ** 2);
    const data = { user_id: userId, ...this.#inCssPixels(welcome), max_area: area };
    this.#post({ type: 'connection', data });
  }

  /** Converts screen pixels to CSS pixels. The public client sends and receives only CSS pixels. */
  #inCssPixels({ width, height }: Size): Size {
    const { pixelRatio } = this.#viewer.client;
    return { width: Math.ceil(width / pixelRatio), height: Math.ceil(height / pixelRatio) };
  }

  #follow<Name extends keyof ClientEvents>(
    name: Name,
    listener: EventEmitter.EventListener<ClientEvents, Name>,
  ): void {
    const { client } = this.#viewer;
    client.on(name, listener);
    this.#unsubscribe.push(() => client.off(name, listener));
  }
}

/**
 * Returns the user data from the `data` of a `webhook_auth` message, as a JSON value. The session passes it
 * to the customer's endpoint that authorizes viewers. Returns undefined if there is no valid user data.
 */
export function userdataOf(data: unknown): Userdata | undefined {
  const { webhookUserdata } = (data ?? {}) as { webhookUserdata?: unknown };
  try {
    const copy = JSON.parse(JSON.stringify({ webhookUserdata })) as { webhookUserdata?: unknown };
    return isUserdata(copy.webhookUserdata) ? copy.webhookUserdata : undefined;
  } catch (error) {
    // An error of the page, such as a circular reference, is reported in the page's console.
    reportError(error);
    return undefined;
  }
}

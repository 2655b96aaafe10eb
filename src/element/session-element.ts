import { LitElement } from 'lit';
import { heard } from '../core/deferred.js';
import type { CloudBrowserClient, ConnectionQuality, ConnectionState } from '../core/index.js';
import type { SentEvent, Viewer, ViewerStats } from '../viewer/index.js';
import type { SessionController } from './session-controller.js';

/** Session properties and methods of the element, independent of its view. */
export abstract class SessionElement extends LitElement {
  /** @internal */
  protected abstract readonly session: SessionController;

  /** State of the connection. */
  get state(): ConnectionState {
    return this.session.state;
  }

  /** Id of this element's user in the session. It stays the same across reconnects. */
  get userId(): string | undefined {
    return this.session.client?.userId;
  }

  /** Client of this element, with the whole session API. Undefined until the element starts to connect. */
  get client(): CloudBrowserClient | undefined {
    return this.session.client;
  }

  /** Latest round-trip time to the session in milliseconds. */
  get rtt(): number | undefined {
    return this.session.viewer?.client.rtt;
  }

  /** Quality of the connection. Undefined before the first round trip, and in the state `closed`. */
  get quality(): ConnectionQuality | undefined {
    return this.session.client?.quality;
  }

  /** True if the session has sound that the local browser blocks until the user interacts with the page. */
  get audioBlocked(): boolean {
    return this.session.viewer?.audioBlocked ?? false;
  }

  /**
   * Viewer of this element. A new viewer replaces it after a new `embedUrl`, and after the element was
   * removed from its document and inserted again later.
   */
  get viewer(): Viewer | undefined {
    return this.session.viewer;
  }

  /** Current statistics. Undefined while there is no viewer. */
  get stats(): ViewerStats | undefined {
    return this.session.viewer?.stats();
  }

  /**
   * Connects, or waits for the attempt in progress. If the connection fails, rejects with a
   * `DisconnectedError` that contains the reason. With an invalid embed URL, rejects with an `EmbedUrlError`.
   * Without an embed URL or outside of a document, rejects with a `NotConnectedError`.
   */
  connect(): Promise<void> {
    return heard(this.session.connect().then(() => undefined));
  }

  /** Ends the connection. The last picture stays visible. */
  disconnect(): void {
    this.session.disconnect();
  }

  /** Closes the connection and connects again as the same user. */
  reconnect(): Promise<void> {
    return heard(this.session.reconnect().then(() => undefined));
  }

  /** Tells the session that the user is active. Resolves to the round-trip time in milliseconds. */
  ping(): Promise<number> {
    return this.session.ping();
  }

  /** Resizes the remote screen for all users, to a size in CSS pixels. See `CloudBrowserClient.resize`. */
  resize(width: number, height: number): Promise<void> {
    return this.session.resize(width, height);
  }

  /**
   * Turns on blocked sound. Call it in a click or key handler. Any click or key press on the page does the
   * same.
   */
  unblockAudio(): void {
    this.session.viewer?.unblockAudio();
  }

  /**
   * Sends input that your code generates. The input is lost if there is no connection. Invalid input is
   * ignored.
   */
  sendEvent(event: SentEvent): void {
    this.session.viewer?.sendEvent(event);
  }

  /**
   * Copies the selection of the remote browser to the local clipboard. Call it in a click or key handler.
   * Needs the role `clipboard_copy`.
   */
  copy(): void {
    this.session.viewer?.clipboard.copy();
  }

  /**
   * Pastes the local clipboard into the remote browser. Call it in a click or key handler. See
   * `ViewerClipboard.paste`.
   */
  async paste(): Promise<void> {
    await this.session.viewer?.clipboard.paste();
  }
}

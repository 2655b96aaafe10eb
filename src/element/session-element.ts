import { LitElement } from 'lit';
import { heard } from '../core/deferred.js';
import type { CloudBrowserClient, ConnectionQuality, ConnectionState } from '../core/index.js';
import type { SentEvent, Viewer, ViewerStats } from '../viewer/index.js';
import type { SessionController } from './session-controller.js';

/** What an element offers of its session, whatever it shows. */
export abstract class SessionElement extends LitElement {
  /** @internal */
  protected abstract readonly session: SessionController;

  /** Where the connection stands. */
  get state(): ConnectionState {
    return this.session.state;
  }

  /** Who this element is in the session; stays the same over reconnects. */
  get userId(): string | undefined {
    return this.session.client?.userId;
  }

  /** The connection behind this element, with all that a session offers; undefined before the first connection. */
  get client(): CloudBrowserClient | undefined {
    return this.session.client;
  }

  /** The newest round trip to the session in milliseconds. */
  get rtt(): number | undefined {
    return this.session.viewer?.client.rtt;
  }

  /** How well the session can be used over this connection; undefined before the first round trip, and when it was ended. */
  get quality(): ConnectionQuality | undefined {
    return this.session.client?.quality;
  }

  /** Sound has come that the browser plays none of, until its user does something on the page. */
  get audioBlocked(): boolean {
    return this.session.viewer?.audioBlocked ?? false;
  }

  /** The viewer behind this element, with its client; another one after another `embedUrl` or a move to another document. */
  get viewer(): Viewer | undefined {
    return this.session.viewer;
  }

  /** Figures of this moment; undefined before the first connection. */
  get stats(): ViewerStats | undefined {
    return this.session.viewer?.stats();
  }

  /** Connects, or joins the attempt under way. Rejects with a `DisconnectedError` that has the reason. */
  connect(): Promise<void> {
    return heard(this.session.connect().then(() => undefined));
  }

  /** Ends the connection; the last picture stays. */
  disconnect(): void {
    this.session.disconnect();
  }

  /** Drops the connection and connects again as the same user. */
  reconnect(): Promise<void> {
    return heard(this.session.reconnect().then(() => undefined));
  }

  /** Tells the session that a person is there. Resolves to the round trip in milliseconds. */
  ping(): Promise<number> {
    return this.session.ping();
  }

  /** Gives the remote screen another size, for everybody; see `CloudBrowserClient.resize`. */
  resize(width: number, height: number): Promise<void> {
    return this.session.resize(width, height);
  }

  /** Has the browser play sound that it held back. To be called while handling a click or a key; any of them does the same by itself. */
  unblockAudio(): void {
    this.session.viewer?.unblockAudio();
  }

  /** Sends input that no person made; lost without a connection. */
  sendEvent(event: SentEvent): void {
    this.session.viewer?.sendEvent(event);
  }

  /** As `focus()`, and a phone brings up its on-screen keyboard. To be called while handling a tap. */
  showKeyboard(): void {
    this.session.viewer?.showKeyboard();
  }

  /** Copies what is selected in the remote browser to the local clipboard; to be called in a gesture. Needs the role `clipboard_copy`. */
  copy(): void {
    this.session.viewer?.clipboard.copy();
  }

  /** Pastes what is on the local clipboard; to be called in a gesture, see `ViewerClipboard.paste`. */
  async paste(): Promise<void> {
    await this.session.viewer?.clipboard.paste();
  }
}

import type { ReactiveController } from 'lit';
import { heard } from '../core/deferred.js';
import {
  CloudBrowserClient,
  DisconnectedError,
  LEFT,
  NotConnectedError,
  type ConnectionState,
  type StateChange,
} from '../core/index.js';
import { probeMedia } from '../media/index.js';
import type { LeaveReason, MediaKind, Userdata, Welcome } from '../protocol/index.js';
import { socketsThatReport, type BlockedError } from '../viewer/blocked-socket.js';
import { createViewer, loadControls, type Viewer, type ViewerOptions } from '../viewer/index.js';
import { LateFiles } from './files/late-files.js';
import { CloudBrowserErrorEvent, StateChangeEvent, StatsEvent, ViewerEvent } from './events.js';
import { lockPointerOnDemand } from './pointer-lock/pointer-lock-on-demand.js';
import { forwardClient, forwardViewer, type EventHost } from './forward-events.js';
import { reportFailure } from './report-failure.js';

/** Time between two `stats` events. Rates are averages over a second. */
const STATS_INTERVAL_MS = 1000;

/** The part of the element that the controller needs. */
export interface SessionControllerHost extends EventHost {
  readonly embedUrl: string;
  readonly userdata: Userdata | undefined;
  readonly adminToken: string | undefined;
  readonly isConnected: boolean;
  /** Returns the options for the next viewer. Called after the element was rendered. */
  viewerOptions(): Omit<ViewerOptions, 'client' | 'embedUrl'>;
  /** Container of the file list. */
  fileList(): HTMLElement | undefined;
  /** Called when a viewer is created. The element may then focus it. */
  viewerMade(viewer: Viewer): void;
  /**
   * Called before the event `statechange`, so that its listeners see the current custom states of the
   * element.
   */
  stateChanged(state: ConnectionState, previous: ConnectionState): void;
}

/**
 * Manages the session of an element. It keeps one client per embed URL. The client exists until the URL
 * changes, so an element that is removed and inserted again stays the same user. The viewer exists while the
 * element is in a document.
 */
export class SessionController implements ReactiveController {
  #embedUrl = '';
  #client: CloudBrowserClient | undefined;
  #viewer: Viewer | undefined;
  #files: LateFiles | undefined;
  /** Removes the listeners on the client. */
  #unfollow: (() => void) | undefined;
  #unlockPointer: (() => void) | undefined;
  #state: ConnectionState = 'idle';
  #failure: Error | undefined;
  /**
   * The connection attempt in progress. A new embed URL, the removal of the element and `disconnect()` abort
   * it.
   */
  #run: { promise: Promise<Welcome>; abort: AbortController } | undefined;
  #statsTimer: ReturnType<typeof setInterval> | undefined;
  /** True if the element was removed and has left its session. */
  #away = false;

  constructor(private readonly host: SessionControllerHost) {
    host.addController(this);
  }

  get state(): ConnectionState {
    return this.#state;
  }

  get client(): CloudBrowserClient | undefined {
    return this.#client;
  }

  get viewer(): Viewer | undefined {
    return this.#viewer;
  }

  /** Reason for the state `failed` or `closed`. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  readonly dragged = (event: DragEvent): void => this.#files?.dragged(event);

  readonly dropped = (event: DragEvent): void => this.#files?.dropped(event);

  hostConnected(): void {
    // Loads the module of the controls now, because the embed URL may be set much later. By then, an update
    // of the service may have removed this version of the module.
    loadControls().catch(() => undefined);
    this.host.requestUpdate();
  }

  hostUpdated(): void {
    const { embedUrl, isConnected } = this.host;
    if (!isConnected) return;
    this.#files?.show();
    if (embedUrl !== this.#embedUrl) {
      this.#leave('url_changed');
      // The page may still use the previous client, so the element stops forwarding its events.
      this.#unfollow?.();
      this.#unfollow = undefined;
      this.#embedUrl = embedUrl;
      this.#files?.close();
      this.#files = undefined;
      this.#client = undefined;
      if (!embedUrl) this.#become('idle');
    } else if (!this.#away) {
      return;
    }
    this.#away = false;
    // The element's state and events report a failure, so the rejection is ignored.
    if (embedUrl) this.#start().catch(() => undefined);
  }

  hostDisconnected(): void {
    // An element that is only moved is inserted again in the same task, and keeps its connection.
    queueMicrotask(() => {
      if (this.host.isConnected || this.#away) return;
      this.#away = true;
      this.#leave('removed');
    });
  }

  async connect(): Promise<Welcome> {
    this.#requirePlace();
    // Waits for the pending update, because the update applies a changed URL.
    await this.host.updateComplete;
    // The page may have removed the element or its URL meanwhile.
    this.#requirePlace();
    if (this.#run) return this.#run.promise;
    if (!this.#client || !this.#viewer) return this.#start();
    this.#client.setUserdata(this.host.userdata);
    return this.#client.connect();
  }

  /** Ends the connection. The last picture stays visible. */
  disconnect(reason: LeaveReason = 'disconnected'): void {
    const starting = this.#run !== undefined;
    this.#run?.abort.abort(givenUp(reason));
    this.#run = undefined;
    this.#client?.disconnect(reason);
    if (starting && this.#state === 'connecting') {
      this.#failure = givenUp(reason);
      this.#become('closed');
    }
  }

  async reconnect(): Promise<Welcome> {
    this.#client?.setUserdata(this.host.userdata);
    // The client of an earlier URL closes at the pending update.
    const isNewest = this.host.embedUrl === this.#embedUrl;
    return this.#client && this.#viewer && isNewest ? this.#client.reconnect() : this.connect();
  }

  resize(width: number, height: number): Promise<void> {
    return this.#client?.resize(width, height) ?? Promise.reject(new NotConnectedError());
  }

  ping(): Promise<number> {
    return this.#client?.ping() ?? Promise.reject(new NotConnectedError());
  }

  /** Throws if the element has no embed URL, or is not in a document. */
  #requirePlace(): void {
    if (!this.host.embedUrl) throw new NotConnectedError('Set `embed-url` before connecting.');
    if (!this.host.isConnected)
      throw new NotConnectedError('Put the element into a document before connecting.');
  }

  #leave(reason: LeaveReason): void {
    this.host.notices.show(undefined);
    this.disconnect(reason);
    this.#unlockPointer?.();
    this.#viewer?.close();
    this.#viewer = undefined;
  }

  #start(): Promise<Welcome> {
    const abort = new AbortController();
    const promise = this.#connectFirst(abort.signal).finally(() => {
      if (this.#run?.abort === abort) this.#run = undefined;
    });
    this.#run = { promise, abort };
    this.#failure = undefined;
    // A listener may call disconnect(), which ends the attempt above.
    this.#become('connecting');
    return promise;
  }

  async #connectFirst(signal: AbortSignal): Promise<Welcome> {
    const support = await probeMedia();
    signal.throwIfAborted();
    try {
      this.#client ??= this.#makeClient(support.kinds);
      this.#viewer = this.#makeViewer(this.#client);
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      // Logs the error for developers. The message over the picture is for users.
      console.warn('<cloud-browser>', this.#failure);
      this.#become('failed');
      this.#dispatch(new CloudBrowserErrorEvent(this.#failure));
      throw this.#failure;
    }
    this.host.viewerMade(this.#viewer);
    this.#dispatch(new ViewerEvent(this.#viewer));
    // A listener may have called disconnect().
    signal.throwIfAborted();
    this.#client.setUserdata(this.host.userdata);
    void heard(this.#client.connect());
    // The client has found out if the machine has a network.
    this.host.requestUpdate();
    return this.#viewer.connect();
  }

  #makeClient(kinds: readonly MediaKind[]): CloudBrowserClient {
    let blocked: BlockedError | undefined;
    const client = new CloudBrowserClient({
      embedUrl: this.#embedUrl,
      media: kinds,
      createSocket: socketsThatReport((error) => (blocked = error)),
    });
    client.remote.adminToken = this.host.adminToken;
    const follow = ({ state }: StateChange): void => {
      const { disconnection } = client;
      const isBlocked = blocked && disconnection?.message === blocked.message;
      this.#failure = isBlocked
        ? blocked
        : disconnection && new DisconnectedError(disconnection.reason, disconnection.message);
      this.#become(state);
    };
    client.on('state', follow);
    const stopForwarding = forwardClient(client, this.host);
    this.#unfollow = () => {
      client.off('state', follow);
      stopForwarding();
    };
    this.#files = new LateFiles(client, {
      fileList: () => this.host.fileList(),
      viewer: () => this.#viewer,
      dispatch: (event) => this.host.dispatchEvent(event),
      report: (error) => reportFailure(this.host, error),
      words: this.host.words,
    });
    return client;
  }

  #makeViewer(client: CloudBrowserClient): Viewer {
    const viewer = createViewer({ ...this.host.viewerOptions(), client });
    forwardViewer(viewer, this.host);
    this.#unlockPointer = lockPointerOnDemand(viewer, (error) => reportFailure(this.host, error));
    return viewer;
  }

  #become(state: ConnectionState): void {
    const previous = this.#state;
    if (state === previous) return;
    this.#state = state;
    clearInterval(this.#statsTimer);
    if (state === 'playing') this.#statsTimer = setInterval(() => this.#tellStats(), STATS_INTERVAL_MS);
    this.host.stateChanged(state, previous);
    this.host.requestUpdate();
    this.#dispatch(new StateChangeEvent(state, previous));
  }

  #tellStats(): void {
    if (this.#viewer) this.#dispatch(new StatsEvent(this.#viewer.stats()));
  }

  #dispatch(event: Event): void {
    this.host.dispatchEvent(event);
  }
}

function givenUp(reason: LeaveReason): DisconnectedError {
  return new DisconnectedError(reason, LEFT[reason]);
}

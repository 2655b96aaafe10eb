import type {
  ClipboardContent,
  CloseWarningInfo,
  ConnectionQuality,
  ConnectionState,
  PrivacyInfo,
} from '../core/index.js';
import type { ClipboardType, DisconnectReason, Handoff, Notice } from '../protocol/index.js';
import type { CopyState, RemoteCopy, Viewer, ViewerStats } from '../viewer/index.js';
import type { DownloadEvent, FileChooserEvent, FileDropEvent, UploadEvent } from './files/file-events.js';

/** The state of the connection changed. Like all events of the element, it does not bubble. */
export class StateChangeEvent extends Event {
  constructor(
    readonly state: ConnectionState,
    readonly previous: ConnectionState,
  ) {
    super('statechange');
  }
}

/** The element connected or reconnected. */
export class ConnectEvent extends Event {
  constructor(
    /** Id of this user. It stays the same across reconnects. */
    readonly userId: string,
    /** Width of the remote screen in screen pixels: CSS pixels times the pixel ratio of the session. */
    readonly width: number,
    /** Height of the remote screen in screen pixels. */
    readonly height: number,
  ) {
    super('connect');
  }
}

/**
 * The connection is over. In the state `failed` the element connects again when the machine's network
 * returns. In the state `closed` it does not reconnect by itself.
 */
export class DisconnectEvent extends Event {
  constructor(
    readonly reason: DisconnectReason,
    /** A sentence for users. */
    readonly message: string,
  ) {
    super('disconnect');
  }
}

/** The size of the remote picture is available or has changed. */
export class ResizeEvent extends Event {
  constructor(
    /** Width in screen pixels: CSS pixels times the pixel ratio of the session. */
    readonly width: number,
    /** Height in screen pixels. */
    readonly height: number,
  ) {
    super('resize');
  }
}

/**
 * The session will end soon, or an earlier warning is withdrawn. After `preventDefault()` the element shows
 * no countdown.
 */
export class CloseWarningEvent extends Event {
  constructor(
    /** Limit or event that ends the session: `absolute`, `inactive`, `offline` or `shutdown`. */
    readonly kind: CloseWarningInfo['type'],
    /**
     * Seconds until the end (`delay`) and the time of the end (`closeDate`). Undefined if a warning of this
     * kind is withdrawn.
     */
    readonly deadline: CloseWarningInfo['deadline'],
  ) {
    super('closewarning', { cancelable: true });
  }
}

/**
 * Something happened to the remote browser, or this user's control changed. The element shows the message
 * for 8 s.
 */
export class NoticeEvent extends Event {
  constructor(
    /**
     * - `page-crashed`, `page-ended`: a page stopped and can be reloaded.
     * - `page-hung`: a page does not respond.
     * - `tab-refused`: a page was closed because the session has too many pages.
     * - `link-refused`: a link would start a program, such as `mailto:`. Sessions have no such programs.
     * - `field-masked`: this user may not write into the focused field. Their typing is ignored until they
     *   click elsewhere or press Tab.
     * - `upload-refused`: a page requested a file, and this user lacks the role `file_upload`.
     * - `download-refused`, `print-refused`: a page offered a file or was printed, and this user lacks the
     *   role `file_download`.
     * - `control-given`, `control-taken`: the session now accepts, or no longer accepts, this user's input.
     * - `browser-resumed`: a part of the browser was stopped and continues.
     * - `browser-crashed`, `browser-hung`, `browser-closed`: the browser was restarted.
     * - `browser-hung-again`: the browser was restarted with an empty page, because it hung twice.
     * - `picture-restarted`, `sound-restarted`, `network-restarted`: this part of the browser was restarted.
     * - `privacy-ended`: this user's privacy mode ended without a call of the user.
     */
    readonly kind: Notice['kind'],
    /** A sentence for users. */
    readonly message: string,
  ) {
    super('notice', { cancelable: true });
  }
}

/**
 * An agent (a program that uses the browser) asks for the help of a person, or such a request has ended.
 * Without `preventDefault()`, the element shows the oldest request, with buttons to answer it.
 */
export class HandoffEvent extends Event {
  constructor(
    /** All open requests that this user may answer with `client.finishHandoff()`, oldest first. */
    readonly handoffs: readonly Handoff[],
  ) {
    super('handoff', { cancelable: true });
  }
}

/** The privacy mode of a user started, changed or ended. */
export class PrivacyChangeEvent extends Event {
  /** Id of the user in privacy mode. Undefined if there is none. */
  readonly userId: string | undefined;
  /** True if another user is in privacy mode. The picture is covered, and input is ignored. */
  readonly shutOut: boolean;
  /** Start of privacy mode. */
  readonly since: Date | undefined;
  /** Time when privacy mode ends, unless it is renewed. Undefined if it does not end by itself. */
  readonly until: Date | undefined;
  /**
   * True if this event warns the user in privacy mode that the mode ends soon.
   * `client.users.enablePrivacyMode()` renews the mode.
   */
  readonly ending: boolean;

  constructor({ userId, shutOut, since, until, ending }: PrivacyInfo) {
    super('privacychange');
    this.userId = userId;
    this.shutOut = shutOut;
    this.since = since;
    this.until = until;
    this.ending = ending;
  }
}

/**
 * A recording of the session started or ended. The element shows a message at the lower edge of the picture
 * while the session is recorded.
 */
export class RecordingChangeEvent extends Event {
  constructor(
    /** True if the session is being recorded. */
    readonly recording: boolean,
  ) {
    super('recordingchange');
  }
}

/**
 * This user copied something in the remote browser. Without `preventDefault()`, the element writes the copied
 * content to the local clipboard if the user has the role `clipboard_copy`.
 */
export class RemoteCopyEvent extends Event {
  readonly #copy: RemoteCopy;

  constructor(copy: RemoteCopy) {
    super('remotecopy', { cancelable: true });
    this.#copy = copy;
  }

  /** Formats of the copied content. Empty without the role. */
  get types(): readonly ClipboardType[] {
    return this.#copy.types;
  }

  /** True if the user has the role `clipboard_copy`. */
  get allowed(): boolean {
    return this.#copy.allowed;
  }

  /** Returns the copied content. Rejects with a `CallError` if it is not available. */
  read(): Promise<ClipboardContent> {
    return this.#copy.read();
  }
}

/** Result of a copy from the remote browser, or of a paste into it. The element shows the result. */
export class CopyStateChangeEvent extends Event {
  constructor(
    /** `copied`, `waiting` for another click, or `failed`. Undefined if the result is no longer relevant. */
    readonly state: CopyState['state'] | undefined,
    /** A sentence for users. Empty if there is nothing to show. */
    readonly message: string,
  ) {
    super('copystatechange');
  }
}

/** The connection became better or worse. */
export class QualityChangeEvent extends Event {
  constructor(readonly quality: ConnectionQuality) {
    super('qualitychange');
  }
}

/** The local browser blocks sound until the user interacts with the page, or allows sound again. */
export class AudioBlockedEvent extends Event {
  constructor(readonly blocked: boolean) {
    super('audioblocked');
  }
}

/**
 * The user wants a new session after this one ended. After `preventDefault()` the application handles it, for
 * example with another `embedUrl`. Otherwise the page reloads.
 */
export class StartAgainEvent extends Event {
  constructor(
    /** Reason for the end of the session. */
    readonly reason: DisconnectReason | undefined,
  ) {
    super('startagain', { cancelable: true });
  }
}

/**
 * The user wants to close the ended session. After `preventDefault()` the application handles it. Otherwise
 * the element hides.
 */
export class CloseRequestEvent extends Event {
  constructor(readonly reason: DisconnectReason | undefined) {
    super('closerequest', { cancelable: true });
  }
}

/** New statistics, once a second while playing. */
export class StatsEvent extends Event {
  constructor(readonly stats: ViewerStats) {
    super('stats');
  }
}

/** A viewer was created and is about to connect. */
export class ViewerEvent extends Event {
  constructor(readonly viewer: Viewer) {
    super('viewer');
  }
}

/** An error occurred. The state of the element shows if the error ended the connection. */
export class CloudBrowserErrorEvent extends Event {
  constructor(readonly error: Error) {
    super('error');
  }
}

export * from './files/file-events.js';

/** Events of `<cloud-browser>` by name. */
export interface CloudBrowserEventMap {
  filechooser: FileChooserEvent;
  filedrop: FileDropEvent;
  upload: UploadEvent;
  download: DownloadEvent;
  statechange: StateChangeEvent;
  connect: ConnectEvent;
  disconnect: DisconnectEvent;
  resize: ResizeEvent;
  stats: StatsEvent;
  viewer: ViewerEvent;
  closewarning: CloseWarningEvent;
  notice: NoticeEvent;
  privacychange: PrivacyChangeEvent;
  handoff: HandoffEvent;
  recordingchange: RecordingChangeEvent;
  remotecopy: RemoteCopyEvent;
  copystatechange: CopyStateChangeEvent;
  qualitychange: QualityChangeEvent;
  audioblocked: AudioBlockedEvent;
  startagain: StartAgainEvent;
  closerequest: CloseRequestEvent;
  error: CloudBrowserErrorEvent;
}

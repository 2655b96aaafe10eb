import type {
  ClipboardContent,
  CloseWarningInfo,
  ConnectionQuality,
  ConnectionState,
} from '../core/index.js';
import type { ClipboardType, DisconnectReason, Notice } from '../protocol/index.js';
import type { CopyState, RemoteCopy, Viewer, ViewerStats } from '../viewer/index.js';
import type { DownloadEvent, FileChooserEvent, FileDropEvent, UploadEvent } from './file-events.js';

/** The connection took a step. Does not bubble, like all events of the element. */
export class StateChangeEvent extends Event {
  constructor(
    readonly state: ConnectionState,
    readonly previous: ConnectionState,
  ) {
    super('statechange');
  }
}

/** Connected, for the first time or again. */
export class ConnectEvent extends Event {
  constructor(
    /** Stays the same over reconnects. */
    readonly userId: string,
    /** Pixels of the remote screen. */
    readonly width: number,
    readonly height: number,
  ) {
    super('connect');
  }
}

/** The connection is over and is not sought again. */
export class DisconnectEvent extends Event {
  constructor(
    readonly reason: DisconnectReason,
    /** A sentence for people. */
    readonly message: string,
  ) {
    super('disconnect');
  }
}

/** The size of the remote picture is known, or another than before. */
export class ResizeEvent extends Event {
  constructor(
    /** Pixels. */
    readonly width: number,
    readonly height: number,
  ) {
    super('resize');
  }
}

/** The session is about to end by itself, or is not any more. `preventDefault()`: the element shows no countdown. */
export class CloseWarningEvent extends Event {
  constructor(
    /** Which limit: `absolute`, `inactive` or `offline`. */
    readonly kind: CloseWarningInfo['type'],
    /** Seconds until the end, and the time of it; absent when a warning of this kind is to be hidden. */
    readonly deadline: CloseWarningInfo['deadline'],
  ) {
    super('closewarning', { cancelable: true });
  }
}

/** Something happened to the remote browser; the element shows the sentence for some seconds. */
export class NoticeEvent extends Event {
  constructor(
    /**
     * `page-crashed`, `page-ended`: a page waits to be loaded again. `page-hung`: one does not answer. `tab-refused`: a page too
     * many was closed. `field-masked`: this user may not write where they tried to. `control-given`, `control-taken`: their input counts, or
     * does not any more. All others: the browser, or its sound, was started again.
     */
    readonly kind: Notice['kind'],
    /** A sentence for people. */
    readonly message: string,
  ) {
    super('notice', { cancelable: true });
  }
}

/** A user has the browser to themselves, or nobody any more. */
export class PrivacyChangeEvent extends Event {
  constructor(
    /** Who; undefined: nobody. */
    readonly userId: string | undefined,
    /** It is somebody else: the picture is covered and no input counts. */
    readonly shutOut: boolean,
  ) {
    super('privacychange');
  }
}

/**
 * This user has copied something in the remote browser. Unless `preventDefault()` is called it comes to the local clipboard, for users
 * with the role `clipboard_copy`.
 */
export class RemoteCopyEvent extends Event {
  readonly #copy: RemoteCopy;

  constructor(copy: RemoteCopy) {
    super('remotecopy', { cancelable: true });
    this.#copy = copy;
  }

  /** In which forms; empty without the role. */
  get types(): readonly ClipboardType[] {
    return this.#copy.types;
  }

  /** The user has the role `clipboard_copy`. */
  get allowed(): boolean {
    return this.#copy.allowed;
  }

  /** What was copied. Rejects with a `CallError` when it cannot be had. */
  read(): Promise<ClipboardContent> {
    return this.#copy.read();
  }
}

/** What became of something copied in the remote browser, or pasted there; the element shows it. */
export class CopyStateChangeEvent extends Event {
  constructor(
    /** `copied`, `waiting` for another click, `failed`; undefined: it does not matter any more. */
    readonly state: CopyState['state'] | undefined,
    /** A sentence for people. */
    readonly message: string,
  ) {
    super('copystatechange');
  }
}

/** The connection has become better or worse. */
export class QualityChangeEvent extends Event {
  constructor(readonly quality: ConnectionQuality) {
    super('qualitychange');
  }
}

/** Sound has come that the browser does not let the page play before its user has done something on it; or it plays. */
export class AudioBlockedEvent extends Event {
  constructor(readonly blocked: boolean) {
    super('audioblocked');
  }
}

/**
 * A person wants another session in the place of one that is over. `preventDefault()`: the application sees to it, for instance by
 * another `embedUrl`; otherwise the page is loaded again.
 */
export class StartAgainEvent extends Event {
  constructor(
    /** Why the session was over. */
    readonly reason: DisconnectReason | undefined,
  ) {
    super('startagain', { cancelable: true });
  }
}

/** A person wants to be rid of a session that is over. `preventDefault()`: the application sees to it; otherwise the element hides. */
export class CloseRequestEvent extends Event {
  constructor(readonly reason: DisconnectReason | undefined) {
    super('closerequest', { cancelable: true });
  }
}

/** Fresh figures, once a second while playing. */
export class StatsEvent extends Event {
  constructor(readonly stats: ViewerStats) {
    super('stats');
  }
}

/** A viewer was made and is about to connect. */
export class ViewerEvent extends Event {
  constructor(readonly viewer: Viewer) {
    super('viewer');
  }
}

/** Something went wrong. Whether it ended the connection, the state tells. */
export class CloudBrowserErrorEvent extends Event {
  constructor(readonly error: Error) {
    super('error');
  }
}

export * from './file-events.js';

/** The events of `<cloud-browser>` by their names. */
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
  remotecopy: RemoteCopyEvent;
  copystatechange: CopyStateChangeEvent;
  qualitychange: QualityChangeEvent;
  audioblocked: AudioBlockedEvent;
  startagain: StartAgainEvent;
  closerequest: CloseRequestEvent;
  error: CloudBrowserErrorEvent;
}

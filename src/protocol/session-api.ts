import type { AccessibilityAct, AccessibilityUpdate } from './session-api/accessibility.js';
import type { CopiedNotice } from './session-api/clipboard.js';
import {
  COMPUTER_METHODS,
  PROGRAM_FILE_METHODS,
  type ComputerMethods,
  type ProgramFileMethods,
  type Screenshot,
  type ScreenshotOptions,
} from './session-api/computer.js';
import type { DialogAnswer, TabDialog } from './session-api/dialogs.js';
import { FILE_EVENTS, FILE_METHODS, type FileEvents, type FileMethods } from './session-api/files.js';
import {
  TAB_EVENTS,
  TAB_METHODS,
  type TabEventName,
  type TabEvents,
  type TabMethod,
  type TabMethods,
} from './session-api/tabs.js';
import type { HandoffAnswer, HandoffRequest, HandoffState } from './session-api/handoffs.js';
import type { PeerPointer, Permissions, Role, SessionUser } from './session-api/users.js';

type TabCalls = { [Method in TabMethod as `tabs.${Method}`]: TabMethods[Method] };
type ProgramMethods = ComputerMethods & ProgramFileMethods;
type ComputerCalls = { [Method in keyof ProgramMethods as `computer.${Method}`]: ProgramMethods[Method] };
type FileCalls = { [Method in keyof FileMethods as `files.${Method}`]: FileMethods[Method] };
type FileNews = { [Event in keyof FileEvents as `files.${Event}`]: FileEvents[Event] };
type TabNews = { [Event in keyof TabEvents as `tabs.${Event}`]: TabEvents[Event] };

/**
 * The methods of a session, for viewers and the service. `docs/protocol.md`, `docs/users.md` and
 * `docs/files.md` list the roles that they need.
 */
export interface SessionMethods extends TabCalls, FileCalls, ComputerCalls {
  /** Sends the event to the caller from now on, until `unsubscribe` or the end of the connection. */
  subscribe(event: SessionEvent): void;
  unsubscribe(event: SessionEvent): void;
  /** Resizes the screen for all users. Whole CSS pixels. */
  resize(width: number, height: number): void;
  /**
   * Locks the size of the screen, or unlocks it if `pinned` is false. While it is locked, only admins can
   * change the size. The screen then ignores the sizes that viewers send in `box` messages.
   */
  pinSize(pinned?: boolean): void;
  /**
   * Returns the text that was last copied in the browser. Rejects with `err_clipboard_too_large` if it has
   * more than 256 KiB as UTF-8.
   */
  'clipboard.read'(): string;
  /**
   * Starts a transfer of the browser's clipboard to the caller. Returns the number of the transfer, or 0 if
   * the clipboard is empty.
   */
  'clipboard.fetch'(): number;
  /**
   * Sets the browser's clipboard to the content of a complete transfer from the caller. With `own`, the
   * content is only for the caller. It is removed when another user presses a key or a button. Default: the
   * content is for all users.
   */
  'clipboard.write'(transfer: number, own?: boolean): void;
  /**
   * Drops the texts of a complete transfer from the caller on the page at this position, in pixels of the
   * screen. Counts as input of the caller. With `link`, the text is the address of a link. The page may take
   * it. Otherwise the browser opens it, except in a kiosk.
   */
  'clipboard.drop'(transfer: number, x: number, y: number, link?: boolean): void;
  /** Returns all connected users, in the order in which they joined. */
  'users.list'(): SessionUser[];
  /** Returns the caller's user. */
  'users.me'(): SessionUser;
  /** Changes permissions. Omitted permissions stay unchanged. */
  setPermissions(userId: string, permissions: Partial<Permissions>): void;
  /** Gives roles to these users. With `exclusive`, gives the roles to all other users instead. */
  addRoles(userIds: readonly string[], roles: readonly Role[], exclusive?: boolean): void;
  /** Removes roles from these users. With `exclusive`, removes the roles from all other users instead. */
  removeRoles(userIds: readonly string[], roles: readonly Role[], exclusive?: boolean): void;
  kick(userId: string): void;
  'control.request'(): void;
  /** Gives control to a user. With null, the priorities of the users decide again. */
  'control.give'(userId: string | null): void;
  'control.take'(): void;
  /** Starts privacy mode. After the warning of its end, renews it. */
  enablePrivacyMode(): void;
  disablePrivacyMode(): void;
  /**
   * Performs an action on a node of the accessibility tree. The action counts as input of the caller. `value`
   * is only for the action `set`.
   */
  'accessibility.act'(node: number, act: AccessibilityAct, value?: string): void;
  /** Returns a picture of the screen. Fields that are masked for the caller are black. */
  screenshot(options?: ScreenshotOptions): Screenshot;
  /** Returns the open dialogs of pages. */
  'dialogs.list'(): TabDialog[];
  /** Answers the dialog of a tab, as a user would. */
  'dialogs.answer'(tabId: number, answer: DialogAnswer): void;
  /**
   * Answers the dialog of the page in front, by its number in the message `dialog`. Counts as input of the
   * caller. Rejects with `err_dialog_gone` if it is closed. For users with the role `control`.
   */
  answerDialog(id: number, answer: DialogAnswer): void;
  /** Starts a hand-off: asks the users for help with a task of an agent. For admins. */
  'handoffs.request'(request: HandoffRequest): HandoffState;
  /**
   * Returns a hand-off. With `wait`, first waits for its end, but not longer than this many seconds (0 to 8).
   * For admins.
   */
  'handoffs.get'(id: string, wait?: number): HandoffState;
  /** Ends a hand-off that is not needed any more. For admins. */
  'handoffs.withdraw'(id: string): HandoffState;
  /** Answers a hand-off. For users with the role `control`, and admins. */
  finishHandoff(id: string, answer: HandoffAnswer, note?: string): void;
}

/** The events of a session that a viewer can subscribe to, with their arguments. */
export interface SessionEvents extends TabNews, FileNews {
  /** A user has joined. For admins. */
  'users.onJoined': [user: SessionUser];
  /** A user has left. For admins. */
  'users.onLeft': [user: SessionUser];
  /**
   * Roles, permissions or control of a user changed. Admins receive it for all users, other users for
   * themselves.
   */
  'users.onChanged': [user: SessionUser];
  /**
   * Another user's pointer moved. Sent at most once in 16 ms for each pointer. Pointers of persons are for
   * users with the role `cursor_data`, and admins. Pointers of agents are for all users who may see the
   * picture.
   */
  'users.onPointer': [pointer: PeerPointer];
  /** A user whose pointer was sent with `users.onPointer` has left the session. For the same users. */
  'users.onPointerLeft': [userId: string];
  /** A user requests control. Sent to admins. If exactly one user has control, also sent to this user. */
  'control.onRequested': [user: SessionUser];
  /** A user's action has copied content in the browser. Sent only to this user. */
  'clipboard.onCopied': [copied: CopiedNotice];
  /**
   * The accessibility tree of the active tab's page has changed. The first updates after the subscription
   * contain the whole tree. For all users who may see the picture.
   */
  'accessibility.onUpdate': [update: AccessibilityUpdate];
  /**
   * A page has opened a dialog. The page is blocked until the dialog is answered. For users with the role
   * `chrome_apis`, and admins.
   */
  'dialogs.onOpened': [dialog: TabDialog];
  /** The dialog of a tab was answered, or its page is gone. For the same users as `dialogs.onOpened`. */
  'dialogs.onClosed': [tabId: number];
}

export type SessionMethod = keyof SessionMethods;
export type SessionEvent = keyof SessionEvents;
/** The arguments of a method, in order. */
export type MethodArgs<Method extends SessionMethod> = Parameters<SessionMethods[Method]>;
export type MethodResult<Method extends SessionMethod> = ReturnType<SessionMethods[Method]>;

/** Error codes of calls. They are part of the public API and never change their meaning. */
export const CALL_ERROR_CODES = [
  'err_forbidden',
  'err_invalid_parameter',
  'err_user_not_found',
  'err_user_away',
  'err_viewer_required',
  'err_chrome',
  'err_address_not_allowed',
  'err_dialog_open',
  'err_dialog_gone',
  'err_page_unresponsive',
  'err_too_many_tabs',
  'err_browser_unavailable',
  'err_clipboard_too_large',
  'err_clipboard_busy',
  'err_clipboard_no_answer',
  'err_clipboard_no_transfer',
  'err_call_failed',
  'err_chooser_gone',
  'err_upload_gone',
  'err_download_gone',
  'err_file_too_large',
  'err_file_quota',
  'err_drop_refused',
  'err_node_gone',
  'err_privacy_limit',
  'err_person_has_control',
  'err_agent_gone',
  'err_agent_kicked',
  'err_too_many_agents',
  'err_field_masked',
  'err_picture_too_large',
  'err_handoff_gone',
  'err_too_many_handoffs',
  'err_too_many_calls',
  'err_unknown_method',
  'err_unknown_event',
] as const;

/** One of {@link CALL_ERROR_CODES}. */
export type CallErrorCode = (typeof CALL_ERROR_CODES)[number];

/**
 * The methods that are not in {@link TAB_METHODS}, {@link FILE_METHODS}, {@link COMPUTER_METHODS} or
 * {@link PROGRAM_FILE_METHODS}. This is a record, so the compiler reports a missing name.
 */
const METHODS: Record<
  Exclude<SessionMethod, keyof TabCalls | keyof FileCalls | keyof ComputerCalls>,
  true
> = {
  subscribe: true,
  unsubscribe: true,
  resize: true,
  pinSize: true,
  'clipboard.read': true,
  'clipboard.fetch': true,
  'clipboard.write': true,
  'clipboard.drop': true,
  'users.list': true,
  'users.me': true,
  setPermissions: true,
  addRoles: true,
  removeRoles: true,
  kick: true,
  'control.request': true,
  'control.give': true,
  'control.take': true,
  enablePrivacyMode: true,
  disablePrivacyMode: true,
  'accessibility.act': true,
  screenshot: true,
  'dialogs.list': true,
  'dialogs.answer': true,
  answerDialog: true,
  'handoffs.request': true,
  'handoffs.get': true,
  'handoffs.withdraw': true,
  finishHandoff: true,
};
const EVENTS: Record<Exclude<SessionEvent, `tabs.${TabEventName}` | keyof FileNews>, true> = {
  'users.onJoined': true,
  'users.onLeft': true,
  'users.onChanged': true,
  'users.onPointer': true,
  'users.onPointerLeft': true,
  'control.onRequested': true,
  'clipboard.onCopied': true,
  'accessibility.onUpdate': true,
  'dialogs.onOpened': true,
  'dialogs.onClosed': true,
  'tabs.onReconnected': true,
};
const METHOD_NAMES = new Set([
  ...Object.keys(METHODS),
  ...TAB_METHODS.map((name) => `tabs.${name}`),
  ...FILE_METHODS.map((name) => `files.${name}`),
  ...[...COMPUTER_METHODS, ...PROGRAM_FILE_METHODS].map((name) => `computer.${name}`),
]);
const EVENT_NAMES = new Set([
  ...Object.keys(EVENTS),
  ...TAB_EVENTS.map((name) => `tabs.${name}`),
  ...FILE_EVENTS.map((name) => `files.${name}`),
]);

/** True if an untrusted name is the name of a method. */
export function isSessionMethod(name: string): name is SessionMethod {
  return METHOD_NAMES.has(name);
}

/** True if an untrusted value is the name of an event. */
export function isSessionEvent(name: unknown): name is SessionEvent {
  return typeof name === 'string' && EVENT_NAMES.has(name);
}

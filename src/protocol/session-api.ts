import type { AccessibilityAct, AccessibilityUpdate } from './session-api/accessibility.js';
import type { CopiedNotice } from './session-api/clipboard.js';
import type { DialogAnswer, TabDialog } from './session-api/dialogs.js';
import { FILE_EVENTS, FILE_METHODS, type FileEvents, type FileMethods } from './session-api/files.js';
import {
  TAB_EVENTS,
  TAB_METHODS,
  type TabEvents,
  type TabMethod,
  type TabMethods,
} from './session-api/tabs.js';
import type { PeerPointer, Permissions, Role, SessionUser } from './session-api/users.js';

type TabCalls = { [Method in TabMethod as `tabs.${Method}`]: TabMethods[Method] };
type FileCalls = { [Method in keyof FileMethods as `files.${Method}`]: FileMethods[Method] };
type FileNews = { [Event in keyof FileEvents as `files.${Event}`]: FileEvents[Event] };
type TabNews = { [Event in keyof TabEvents as `tabs.${Event}`]: TabEvents[Event] };

/** The methods of a session: what viewers and the service can ask for beside input. Who may is told in `docs/users.md`. */
export interface SessionMethods extends TabCalls, FileCalls {
  /** Tells the caller of an event from now on, until `unsubscribe` or the end of the connection. */
  subscribe(event: SessionEvent): void;
  unsubscribe(event: SessionEvent): void;
  /** Gives the screen another size, for everybody: whole CSS pixels. */
  resize(width: number, height: number): void;
  /** `pinned`, by default true: nobody but admins changes the size, and it follows no viewer's box. */
  pinSize(pinned?: boolean): void;
  /** The text that was copied last in the browser, if it is no longer than one message. */
  'clipboard.read'(): string;
  /** Begins a transfer of what is on the browser's clipboard, to the caller; answers its number. 0: nothing is there. */
  'clipboard.fetch'(): number;
  /** Puts the content of the caller's transfer on the browser's clipboard. `own`: until somebody else acts; default: for everybody. */
  'clipboard.write'(transfer: number, own?: boolean): void;
  /** Everybody who is connected, in the order in which they came. */
  'users.list'(): SessionUser[];
  /** The caller. */
  'users.me'(): SessionUser;
  /** What is left out stays. */
  setPermissions(userId: string, permissions: Partial<Permissions>): void;
  /** `exclusive`: to everybody but these users. */
  addRoles(userIds: readonly string[], roles: readonly Role[], exclusive?: boolean): void;
  /** `exclusive`: from everybody but these users. */
  removeRoles(userIds: readonly string[], roles: readonly Role[], exclusive?: boolean): void;
  kick(userId: string): void;
  'control.request'(): void;
  /** Null: priorities decide again. */
  'control.give'(userId: string | null): void;
  'control.take'(): void;
  enablePrivacyMode(): void;
  disablePrivacyMode(): void;
  /** Does something to a node of the accessibility tree: input, as that of a mouse. `value` goes with `set`. */
  'accessibility.act'(node: number, act: AccessibilityAct, value?: string): void;
  /** The dialogs that pages have open. */
  'dialogs.list'(): TabDialog[];
  /** Answers the dialog of a tab, as a person would. */
  'dialogs.answer'(tabId: number, answer: DialogAnswer): void;
}

/** The events of a session that can be subscribed to, and their arguments. */
export interface SessionEvents extends TabNews, FileNews {
  /** A user has come. For admins. */
  'users.onJoined': [user: SessionUser];
  /** A user has left. For admins. */
  'users.onLeft': [user: SessionUser];
  /** Roles, permissions or control of a user have changed. Admins hear of all users, everybody else of their own. */
  'users.onChanged': [user: SessionUser];
  /** Another user points elsewhere, at most once a frame. For users with the role `cursor_data`; nothing comes without it. */
  'users.onPointer': [pointer: PeerPointer];
  /** That user points nowhere any more. As `users.onPointer`. */
  'users.onPointerLeft': [userId: string];
  /** A user asks for control. For admins, and for the user who alone controls. */
  'control.onRequested': [user: SessionUser];
  /** What the user did has copied something in the browser. For the one who did it. */
  'clipboard.onCopied': [copied: CopiedNotice];
  /** A part of the accessibility tree of the page in front; the whole of it comes first. For everybody who may see the picture. */
  'accessibility.onUpdate': [update: AccessibilityUpdate];
  /** A page has opened a dialog, and stands still until it is answered. For users with the role `chrome_apis`, and admins. */
  'dialogs.onOpened': [dialog: TabDialog];
  /** The dialog of a tab is answered, or gone with its page. As `dialogs.onOpened`. */
  'dialogs.onClosed': [tabId: number];
}

export type SessionMethod = keyof SessionMethods;
export type SessionEvent = keyof SessionEvents;
/** The arguments of a method, in their order. */
export type MethodArgs<Method extends SessionMethod> = Parameters<SessionMethods[Method]>;
export type MethodResult<Method extends SessionMethod> = ReturnType<SessionMethods[Method]>;

/** Why a session does not carry out a call. The codes are part of the public API and never change their meaning. */
export const CALL_ERROR_CODES = [
  'err_forbidden',
  'err_invalid_parameter',
  'err_user_not_found',
  'err_user_away',
  'err_viewer_required',
  'err_chrome',
  'err_address_not_allowed',
  'err_dialog_open',
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
  'err_too_many_calls',
  'err_unknown_method',
  'err_unknown_event',
] as const;

/** One of {@link CALL_ERROR_CODES}. */
export type CallErrorCode = (typeof CALL_ERROR_CODES)[number];

/** A record has every name, which a list need not. */
const METHODS: Record<Exclude<SessionMethod, keyof TabCalls | keyof FileCalls>, true> = {
  subscribe: true,
  unsubscribe: true,
  resize: true,
  pinSize: true,
  'clipboard.read': true,
  'clipboard.fetch': true,
  'clipboard.write': true,
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
  'dialogs.list': true,
  'dialogs.answer': true,
};
const EVENTS: Record<Exclude<SessionEvent, `tabs.${(typeof TAB_EVENTS)[number]}` | keyof FileNews>, true> = {
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
]);
const EVENT_NAMES = new Set([
  ...Object.keys(EVENTS),
  ...TAB_EVENTS.map((name) => `tabs.${name}`),
  ...FILE_EVENTS.map((name) => `files.${name}`),
]);

/** Whether a name from outside is that of a method. */
export function isSessionMethod(name: string): name is SessionMethod {
  return METHOD_NAMES.has(name);
}

/** Whether a value from outside is the name of an event. */
export function isSessionEvent(name: unknown): name is SessionEvent {
  return typeof name === 'string' && EVENT_NAMES.has(name);
}

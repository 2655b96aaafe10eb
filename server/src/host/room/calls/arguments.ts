import {
  isSessionEvent,
  readPermissions,
  ROLES,
  type DialogAnswer,
  type MethodArgs,
  type Permissions,
  type Role,
  type SessionEvent,
  type SessionMethod,
} from 'cloud-browser/protocol';
import { webAddress } from '../../../platform/web-address.js';
import { actOf } from './accessibility-arguments.js';
import { CallError } from './call-error.js';
import { idOf, offerOf } from './file-arguments.js';

/** Longer ids exist nowhere. */
const MAX_ID_CHARS = 128;
/** More than can be connected, and enough for those who are away. */
const MAX_USERS = 1_000;
/** Longer than what anybody types into a prompt. */
const MAX_PROMPT_CHARS = 4_096;

/** The arguments of a method after its check. Those of `chrome.tabs` are left to Chrome, addresses apart. */
export type CheckedArgs<Method extends SessionMethod> = Method extends `tabs.${string}`
  ? readonly unknown[]
  : MethodArgs<Method>;

type OwnMethod = Exclude<SessionMethod, `tabs.${string}`>;

/** Reads the arguments of a method, which are not trusted. Every method has a check; all throw {@link CallError} or `ProtocolError`. */
const CHECKS: { [Method in OwnMethod]: (args: readonly unknown[]) => MethodArgs<Method> } = {
  subscribe: ([name]) => [eventOf(name)],
  unsubscribe: ([name]) => [eventOf(name)],
  // What is no number is none of the sizes that the screen can have, which only the session knows.
  resize: ([width, height]) => [numberOrNaN(width), numberOrNaN(height)],
  pinSize: ([pinned]) => [booleanOf(pinned ?? true, 'pinned')],
  'clipboard.read': () => [],
  'clipboard.fetch': () => [],
  // What is no number is none of the caller's transfers.
  'clipboard.write': ([transfer, own]) => [numberOrNaN(transfer), own === true],
  'users.list': () => [],
  'users.me': () => [],
  setPermissions: ([id, permissions]) => [userIdOf(id), permissionsOf(permissions)],
  addRoles: roleChangeOf,
  removeRoles: roleChangeOf,
  kick: ([id]) => [userIdOf(id)],
  'control.request': () => [],
  'control.give': ([id]) => [id === undefined || id === null ? null : userIdOf(id)],
  'control.take': () => [],
  enablePrivacyMode: () => [],
  disablePrivacyMode: () => [],
  'accessibility.act': actOf,
  'dialogs.list': () => [],
  'files.offer': offerOf,
  'files.finish': idOf,
  'files.cancel': idOf,
  'files.list': () => [],
  'files.ticket': idOf,
  'files.remove': idOf,
  'dialogs.answer': ([tabId, answer]) => [tabOf(tabId), dialogAnswerOf(answer)],
};

/** The arguments of a call in the form that its handler takes. Throws {@link CallError} or `ProtocolError`. */
export function checkedArgs<Method extends SessionMethod>(
  method: Method,
  args: readonly unknown[],
): CheckedArgs<Method>;
export function checkedArgs(method: SessionMethod, args: readonly unknown[]): readonly unknown[] {
  switch (method) {
    case 'tabs.create':
    case 'tabs.update':
      return args.map(withSafeAddress);
    default:
      return method in CHECKS ? CHECKS[method as OwnMethod](args) : args;
  }
}

/** The event that a caller names. */
function eventOf(name: unknown): SessionEvent {
  if (isSessionEvent(name)) return name;
  throw new CallError('err_unknown_event', `There is no event ${String(name)}.`);
}

/** `name` as the documentation has it. */
function wrong(name: string, expected: string): CallError {
  return new CallError('err_invalid_parameter', `${name} must be ${expected}.`);
}

function userIdOf(value: unknown, name = 'user_id'): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_ID_CHARS)
    throw wrong(name, 'the id of a user');
  return value;
}

function isRole(value: unknown): value is Role {
  return (ROLES as readonly unknown[]).includes(value);
}

function roleChangeOf(args: readonly unknown[]): MethodArgs<'addRoles'> {
  const [ids, roles, exclusive = false] = args;
  if (!Array.isArray(ids) || ids.length > MAX_USERS)
    throw wrong('The first argument', `a list of at most ${MAX_USERS} user ids`);
  if (!Array.isArray(roles) || !roles.every((role) => typeof role === 'string'))
    throw wrong('The second argument', `a list of roles out of ${ROLES.join(', ')}`);
  if (exclusive !== null && typeof exclusive !== 'boolean')
    throw wrong('The third argument, exclusive,', 'true or false');
  // A client may know roles that do not exist here: they grant nothing, so there is nothing of them to give or take.
  const known = new Set(roles.filter(isRole));
  return [ids.map((id: unknown) => userIdOf(id, 'Each user id')), [...known], exclusive === true];
}

function permissionsOf(value: unknown): Partial<Permissions> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong('The second argument', 'an object with priority, idle_timeout or control_disabled');
  return readPermissions(value);
}

function tabOf(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw wrong('The first argument', 'the number of a tab');
}

function dialogAnswerOf(value: unknown): DialogAnswer {
  const { accept, text } = (value ?? {}) as Record<string, unknown>;
  if (typeof accept !== 'boolean') throw wrong('accept', 'true or false');
  if (text === undefined || text === null) return { accept };
  if (typeof text !== 'string' || text.length > MAX_PROMPT_CHARS)
    throw wrong('text', `a text of at most ${MAX_PROMPT_CHARS} characters`);
  return { accept, text };
}

function booleanOf(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw wrong(name, 'true or false');
  return value;
}

function numberOrNaN(value: unknown): number {
  return typeof value === 'number' ? value : Number.NaN;
}

/**
 * An argument of `tabs.create` or `tabs.update` with its address in normal form, so that Chrome cannot read it in another way
 * than we did. One without a scheme is completed: to Chrome it would be relative to our own extension.
 */
function withSafeAddress(arg: unknown): unknown {
  if (typeof arg !== 'object' || arg === null || !('url' in arg)) return arg;
  const { url } = arg;
  // What is no text is refused by Chrome, in its own words.
  if (typeof url !== 'string') return arg;
  const address = webAddress(url);
  if (address) return { ...arg, url: address.href };
  const message = 'Only http:, https: and about: addresses can be opened, or a domain.';
  throw new CallError('err_address_not_allowed', message);
}

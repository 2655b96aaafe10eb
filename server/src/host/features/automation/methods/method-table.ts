import { BROWSER_METHODS } from './browser-methods.js';
import { accepted, refused, type MethodRow } from './method-row.js';
import { NETWORK_METHODS } from './network-methods.js';
import { PAGE_METHODS } from './page-methods.js';

/**
 * Rules for the methods that a program may call, and for methods that the relay refuses with a special
 * reason.
 */
export const METHODS: Readonly<Record<string, MethodRow>> = {
  ...BROWSER_METHODS,
  ...PAGE_METHODS,
  ...NETWORK_METHODS,
};

const SERVICE_INTERNALS = 'It would show how the service runs, or disturb it.';

/** Domains whose methods are all refused, with the reason. */
export const REFUSED_DOMAINS: Readonly<Record<string, string>> = {
  BluetoothEmulation: 'The session has no devices of this kind.',
  Cast: 'The session has no devices of this kind.',
  DeviceAccess: 'The session has no devices of this kind.',
  Extensions: 'Extensions belong to the session. Create it with "extension" instead.',
  FedCm: 'People sign in themselves.',
  FileSystem: 'Files of the service cannot be reached.',
  Memory: SERVICE_INTERNALS,
  PWA: 'Programs cannot be installed.',
  SystemInfo: SERVICE_INTERNALS,
  Tethering: 'Ports of the service cannot be reached.',
  Tracing: 'Tracing would slow down the session for everybody. Start Playwright without tracing.',
  WebAuthn: 'People sign in themselves.',
};

const UNKNOWN = refused('The session does not know this method.');
const TABLE = new Map(Object.entries(METHODS));
const DOMAINS = new Map(Object.entries(REFUSED_DOMAINS).map(([name, reason]) => [name, refused(reason)]));

/** Returns the rule of a method. The parameters decide only about methods that are refused otherwise. */
export function ruleOf(method: string, params: Readonly<Record<string, unknown>> = {}): MethodRow {
  const rule = TABLE.get(method) ?? DOMAINS.get(method.split('.', 1)[0] ?? '') ?? UNKNOWN;
  return rule.kind === 'refused' && rule.isNeutral?.(params) === true ? accepted : rule;
}

/** True if the table has no rule for a method. The relay logs calls of such methods. */
export function isUnknown(rule: MethodRow): boolean {
  return rule === UNKNOWN;
}

/** True if the browser's answer to a method may be large. */
export function isLarge(method: string): boolean {
  const rule = ruleOf(method);
  return rule.kind === 'forwarded' && rule.large === true;
}

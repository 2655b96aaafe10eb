import type { DialogAnswer } from 'cloud-browser/protocol';
import { chromiumAddress } from '../../../platform/network/new-tab-page.js';
import { webAddress } from '../../../platform/network/web-address.js';
import { dialogAnswerOf, wrong } from '../../room/calls/arguments.js';
import { CallError } from '../../room/calls/call-error.js';

/** Checks the untrusted arguments of `dialogs.answer`. Throws {@link CallError}. */
export function answerOf([tabId, answer]: readonly unknown[]): [number, DialogAnswer] {
  return [tabOf(tabId), dialogAnswerOf(answer)];
}

function tabOf(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw wrong('The first argument', 'the number of a tab');
}

/**
 * Returns an argument of `tabs.create` or `tabs.update` with its URL in normal form, so that Chrome parses
 * the URL in the same way as this check. Adds a missing scheme. Without a scheme, Chrome would open a file of
 * the session's own extension. Throws {@link CallError} for an address that is not allowed.
 */
export function withSafeAddress(arg: unknown): unknown {
  if (typeof arg !== 'object' || arg === null || !('url' in arg)) return arg;
  const { url } = arg;
  // Chrome itself refuses a value that is not a string.
  if (typeof url !== 'string') return arg;
  const address = webAddress(url);
  if (address) return { ...arg, url: chromiumAddress(address.href) };
  const message =
    'A tab opens http:, https: and about: addresses, chrome://newtab, or a domain. Use one of these.';
  throw new CallError('err_address_not_allowed', message);
}

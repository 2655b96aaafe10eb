import { readPermissions, type Permissions } from 'cloud-browser/protocol';
import type { AuthorizationAnswer, AuthorizationRequest } from '../../host-protocol.js';
import type { WebhookClient } from '../ports.js';
import type { WebhookTarget } from '../settings/session-settings.js';
import { isRecord } from '../../platform/is-record.js';
import { parseJson } from '../../platform/parse-json.js';

const ASKED_IN_VAIN = 'The operator of this page could not be reached to check your access. Try again later.';
const REFUSED = 'The operator of this page did not allow you to join.';
const UNREADABLE = 'The operator of this page sent an invalid answer.';

/** Answer to an authorization request, with the reason of the answer for the log. */
export interface Verdict {
  answer: AuthorizationAnswer;
  because: string;
}

/**
 * Sends an authorization request about a user to the customer's endpoint. Only the status 200 with
 * `authorized: true` grants access. Any other answer denies access. A missing answer also denies it.
 */
export async function askWebhook(
  client: WebhookClient,
  target: WebhookTarget,
  { userId, userdata, ip, userAgent }: AuthorizationRequest,
): Promise<Verdict> {
  try {
    const { status, text } = await client.post({
      ...target,
      headers: {
        'HB-User-Agent': headerText(userAgent),
        'HB-Connection-IP': ip,
        // Sends the address in this header too, because existing endpoints read this header.
        'HB-Connecting-IP': ip,
      },
      body: { user_id: userId, userdata },
    });
    if (status !== 200) return denied(REFUSED, `status ${status}`);
    return verdictOf(text);
  } catch (error) {
    return denied(ASKED_IN_VAIN, error instanceof Error ? error.message : String(error));
  }
}

function verdictOf(text: string): Verdict {
  const body = parseObject(text);
  if (!body) return denied(UNREADABLE, 'the answer is not a JSON object');
  if (body['authorized'] !== true) {
    return denied(
      REFUSED,
      'authorized' in body ? 'authorized is not true' : 'the answer has no key authorized',
    );
  }
  const permissions = permissionsOf(body['permissions'] ?? {});
  // Denies access if permissions are malformed. The customer may have intended to remove control.
  if (!permissions) return denied(UNREADABLE, 'the permissions are malformed');
  return { answer: { granted: true, permissions }, because: 'authorized' };
}

/** Returns undefined if the value is not an object, or if a known key has an invalid value. */
function permissionsOf(value: unknown): Partial<Permissions> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  try {
    return readPermissions(value);
  } catch {
    return undefined;
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

function denied(message: string, because: string): Verdict {
  return { answer: { granted: false, message }, because };
}

/** Removes the characters that a header cannot contain, and limits the length. */
function headerText(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 1024);
}

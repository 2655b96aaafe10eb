import type { Warnings } from '../../create-fields/warnings.js';
import type { WebhookClient } from '../ports.js';
import type { SessionSecrets } from '../settings/session-settings.js';

/** Adds a warning for each endpoint of a session to which the service refuses to send requests. */
export function warnOfRefusedWebhooks(
  { authWebhook, timeoutWebhook }: Pick<SessionSecrets, 'authWebhook' | 'timeoutWebhook'>,
  webhooks: Pick<WebhookClient, 'refuses'>,
  warnings: Warnings,
): void {
  const urls = { 'auth.value.url': authWebhook?.url, 'timeout.webhook.url': timeoutWebhook?.url };
  for (const [field, url] of Object.entries(urls)) {
    if (url !== undefined && webhooks.refuses(url))
      warnings.push(
        `${field} is not public or belongs to this machine. Requests to it fail unless EGRESS_ALLOW opens it.`,
      );
  }
}

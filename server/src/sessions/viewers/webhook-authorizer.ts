import type { AuthorizationAnswer, AuthorizationRequest } from '../../host-protocol.js';
import type { Log } from '../../platform/log.js';
import { askWebhook } from './authorization.js';
import type { WebhookClient } from '../ports.js';
import type { Session } from '../session.js';
import type { SessionMetrics } from '../records/session-metrics.js';

/**
 * Maximum number of open authorization requests of one session. The limit is necessary because unknown users
 * can cause such requests.
 */
const MAX_OPEN_REQUESTS = 32;

/** Dependencies of {@link WebhookAuthorizer}. */
export interface WebhookAuthorizerParts {
  webhooks: WebhookClient;
  metrics: SessionMetrics;
  log: Log;
}

/** Sends authorization requests about users to customers' endpoints. */
export class WebhookAuthorizer {
  /** Open requests by session. */
  readonly #open = new Map<string, number>();

  constructor(private readonly parts: WebhookAuthorizerParts) {}

  /** Returns the answer of a session's endpoint about a user. Denies access if too many requests are open. */
  async authorize(session: Session, request: AuthorizationRequest): Promise<AuthorizationAnswer> {
    const { webhooks, metrics, log } = this.parts;
    const target = session.secrets.authWebhook;
    const open = this.#open.get(session.id) ?? 0;
    if (!target || open >= MAX_OPEN_REQUESTS) {
      metrics.authorization(false);
      return { granted: false, message: 'Too many people want to join at once. Try again in a moment.' };
    }
    this.#open.set(session.id, open + 1);
    const { answer, because } = await askWebhook(webhooks, target, request);
    const left = (this.#open.get(session.id) ?? 1) - 1;
    if (left > 0) this.#open.set(session.id, left);
    else this.#open.delete(session.id);
    metrics.authorization(answer.granted);
    if (!answer.granted)
      log.info('a viewer was refused', {
        audit: 'refused',
        session: session.id,
        user: request.userId,
        address: request.ip,
        because,
      });
    return answer;
  }
}

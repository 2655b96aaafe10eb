import type { AuthorizationAnswer, AuthorizationRequest } from '../host-protocol.js';
import type { Log } from '../platform/log.js';
import { askWebhook } from './authorization.js';
import type { WebhookClient } from './ports.js';
import type { Session } from './session.js';
import type { SessionMetrics } from './session-metrics.js';

/** Limit of open authorization requests of one session. Unknown users can cause them. */
const MAX_QUESTIONS = 32;

/** Dependencies of {@link Questions}. */
export interface QuestionsParts {
  webhooks: WebhookClient;
  metrics: SessionMetrics;
  log: Log;
}

/** Sends authorization requests about users to customers' endpoints. */
export class Questions {
  /** Open requests by session. */
  readonly #asked = new Map<string, number>();

  constructor(private readonly parts: QuestionsParts) {}

  /** Returns the answer of a session's endpoint about a user. */
  async ask(session: Session, request: AuthorizationRequest): Promise<AuthorizationAnswer> {
    const { webhooks, metrics, log } = this.parts;
    const target = session.secrets.authWebhook;
    const asked = this.#asked.get(session.id) ?? 0;
    if (!target || asked >= MAX_QUESTIONS) {
      metrics.authorization(false);
      return { granted: false, message: 'Too many people want to join at once. Try again in a moment.' };
    }
    this.#asked.set(session.id, asked + 1);
    const { answer, because } = await askWebhook(webhooks, target, request);
    const left = (this.#asked.get(session.id) ?? 1) - 1;
    if (left > 0) this.#asked.set(session.id, left);
    else this.#asked.delete(session.id);
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

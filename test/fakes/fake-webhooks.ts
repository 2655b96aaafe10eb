import type {
  EventQueue,
  WebhookAnswer,
  WebhookClient,
  WebhookEvent,
  WebhookRequest,
} from '../../server/src/sessions/ports.js';

/** Records the webhooks that it is asked to post, and answers as a test sets. */
export class FakeWebhookClient implements WebhookClient {
  readonly requests: WebhookRequest[] = [];
  answer: (request: WebhookRequest) => Promise<WebhookAnswer> = () =>
    Promise.resolve({ status: 200, text: '{"authorized":true}' });

  /** The address that the client refuses. */
  refused: string | undefined;

  refuses(url: string): boolean {
    return url === this.refused;
  }

  post(request: WebhookRequest): Promise<WebhookAnswer> {
    this.requests.push(request);
    return this.answer(request);
  }
}

/** Records events and delivers none. */
export class FakeEventQueue implements EventQueue {
  readonly events: WebhookEvent[] = [];

  async add(event: WebhookEvent): Promise<void> {
    this.events.push(event);
  }
}

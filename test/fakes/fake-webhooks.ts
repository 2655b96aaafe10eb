import type {
  EventQueue,
  WebhookAnswer,
  WebhookClient,
  WebhookEvent,
  WebhookRequest,
} from '../../server/src/sessions/ports.js';

/** Remembers what it was asked to post, and answers what a test sets. */
export class FakeWebhookClient implements WebhookClient {
  readonly requests: WebhookRequest[] = [];
  answer: (request: WebhookRequest) => Promise<WebhookAnswer> = () =>
    Promise.resolve({ status: 200, text: '{"authorized":true}' });

  post(request: WebhookRequest): Promise<WebhookAnswer> {
    this.requests.push(request);
    return this.answer(request);
  }
}

/** Remembers events and delivers none. */
export class FakeEventQueue implements EventQueue {
  readonly events: WebhookEvent[] = [];

  async add(event: WebhookEvent): Promise<void> {
    this.events.push(event);
  }
}

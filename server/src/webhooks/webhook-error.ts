/** A customer's endpoint could not be asked. The message is a sentence for the log. */
export class WebhookError extends Error {
  readonly code = 'err_webhook';

  constructor(message: string) {
    super(message);
    this.name = 'WebhookError';
  }
}

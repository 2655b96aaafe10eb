import { invalidParameter } from '../../service-error.js';

/** Returns the address of a customer's endpoint. Throws {@link ServiceError} `err_invalid_parameter`. */
export function requireWebhookUrl(field: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw invalidParameter(field, 'an http or https address without a user name in it');
  }
  return url.href;
}

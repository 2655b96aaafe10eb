import { invalidParameter } from '../../service-error.js';

/** Returns the address of a customer's endpoint. Throws {@link ServiceError} `err_invalid_parameter`. */
export function requireWebhookUrl(field: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw invalidParameter(field, 'an http or https address without a user name in it');
  }
  return url.href;
}

/** Characters that Node sends in the value of a header. It refuses a request with any other character. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Returns the bearer token of a customer's endpoint. Throws {@link ServiceError} `err_invalid_parameter`. */
export function requireBearer(field: string, text: string): string {
  if (!HEADER_VALUE.test(text))
    throw invalidParameter(
      field,
      'a text that a header can contain, without line breaks, control characters and characters above U+00FF',
    );
  return text;
}

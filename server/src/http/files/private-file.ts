/** Headers that tell browsers not to store a file, and not to show it as a page of this service. */
export const PRIVATE_FILE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

import { keys } from './value-types.js';
import { variable } from './variable.js';

/** Variables with keys for the HTTP API. */
export const KEY_VARIABLES = {
  API_KEYS: variable(keys(), {
    secret: true,
    defaultText: 'on loopback a random key, printed at the start',
    help: 'keys that can create and manage sessions',
    docs:
      'Required if `HOST` or the host of `PUBLIC_URL` is not loopback. ' +
      'See [the generated key](#the-generated-api-key)',
  }),
  OPERATOR_KEYS: variable(keys(), {
    secret: true,
    defaultText: 'none, or the random API key if there is one',
    help: 'keys that can read the nodes and their figures at `/v0/nodes`, and discard unsaved profiles',
    docs:
      'They must differ from `API_KEYS`. ' +
      'See [profiles of unreachable machines](api.md#profiles-of-unreachable-machines)',
  }),
  METRICS_KEYS: variable(keys(), {
    secret: true,
    default: [],
    defaultText: 'none',
    help: 'keys that can read `/metrics` and nothing else',
    docs: 'They must differ from `API_KEYS` and `OPERATOR_KEYS`. See [monitoring](#monitoring)',
  }),
};

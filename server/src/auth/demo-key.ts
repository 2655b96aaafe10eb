import { randomBytes } from 'node:crypto';
import { sameSecret } from '../platform/secrets.js';
import { ServiceError } from '../service-error.js';

/** More than anybody can guess. */
const SECRET_BYTES = 32;
/** Nobody mistypes an address that they click, so this many wrong secrets mean that somebody is guessing. */
const MAX_WRONG_SECRETS = 12;

/**
 * Lends the API key that was made for this run to the demo, once for each one-time secret. The secret is part of an address
 * on the service's terminal, so only a person who reads the terminal gets the key. A user of a hosted browser does not,
 * although that browser reaches this service under a loopback name too.
 */
export class DemoKey {
  #secret = newSecret();
  #wrong = 0;

  /** @param onSpent is given the secret that replaces one which was used */
  constructor(
    private readonly key: string,
    private readonly onSpent: (secret: string) => void,
  ) {}

  /** The secret that buys the key next. */
  get secret(): string {
    return this.#secret;
  }

  /** The API key. Throws {@link ServiceError} `err_start_address` for another secret, and for every one after a dozen such. */
  redeem(candidate: string): string {
    const right = sameSecret(candidate, this.#secret);
    if (!right) this.#wrong++;
    if (!right || this.#wrong >= MAX_WRONG_SECRETS) throw new ServiceError('err_start_address');
    this.#secret = newSecret();
    this.onSpent(this.#secret);
    return this.key;
  }
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

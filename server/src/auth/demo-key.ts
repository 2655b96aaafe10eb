import { randomBytes } from 'node:crypto';
import { sameSecret } from '../platform/secrets.js';
import { ServiceError } from '../service-error.js';

/** Length of the secret in bytes. A random secret of this length cannot be guessed. */
const SECRET_BYTES = 32;
/**
 * Number of wrong secrets after which the service refuses every secret. Users click the address that contains
 * the secret and do not type it. So this many wrong secrets are an attack.
 */
const MAX_WRONG_SECRETS = 12;

/**
 * Gives the demo the API key of this run in exchange for a one-time secret. The service prints an address
 * with the secret on its terminal. So only a person who reads the terminal gets the key. A page in a hosted
 * browser does not know the secret, even if the page reaches this service.
 */
export class DemoKey {
  #secret = newSecret();
  #wrong = 0;

  /** @param onSpent called with the new secret after a secret was used */
  constructor(
    private readonly key: string,
    private readonly onSpent: (secret: string) => void,
  ) {}

  /** The secret that is valid now. */
  get secret(): string {
    return this.#secret;
  }

  /**
   * Returns the API key. Throws {@link ServiceError} `err_start_address` if the secret is wrong, or after
   * {@link MAX_WRONG_SECRETS} wrong secrets.
   */
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

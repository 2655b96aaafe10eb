import { randomBytes } from 'node:crypto';
import { sameSecret } from '../platform/secrets.js';
import { ServiceError } from '../service-error.js';

/** Length of the secret in bytes. A random secret of this length cannot be guessed. */
const SECRET_BYTES = 32;
/**
 * Number of wrong secrets after which every secret is refused. People click the address and do not type it,
 * so this many wrong secrets mean an attack.
 */
const MAX_WRONG_SECRETS = 12;

/**
 * Gives the API key of this run to the demo, once for each one-time secret. The secret is part of an address
 * that the service prints on its terminal, so only a person who reads the terminal gets the key. A page in a
 * hosted browser cannot get it, even if it reaches this service.
 */
export class DemoKey {
  #secret = newSecret();
  #wrong = 0;

  /** @param onSpent called with the secret that replaces a used secret */
  constructor(
    private readonly key: string,
    private readonly onSpent: (secret: string) => void,
  ) {}

  /** The secret that is valid now. */
  get secret(): string {
    return this.#secret;
  }

  /**
   * Returns the API key. Throws {@link ServiceError} `err_start_address` for a wrong secret, and for every
   * secret after a dozen wrong ones.
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

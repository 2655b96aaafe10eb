import type { CloudBrowserClient } from '../../core/index.js';
import type { SessionUser } from '../../protocol/index.js';

/** Tells if the client's user can have control. A user with a token for viewing cannot type. */
export class ControlRole {
  #isPossible = true;

  /** @param onChange called when {@link isPossible} has changed */
  constructor(
    private readonly client: CloudBrowserClient,
    private readonly onChange: () => void,
  ) {
    client.on('welcome', this.#ask);
    // A session that refuses the subscription still answers the question.
    client.users.on('changed', this.#apply).catch(() => undefined);
    this.#ask();
  }

  /** True until the session has answered. */
  get isPossible(): boolean {
    return this.#isPossible;
  }

  readonly #ask = (): void => {
    // Without an answer, the last one counts. A reconnect asks again.
    this.client.users.me().then(this.#apply, () => undefined);
  };

  /** An admin gets the events of all users. */
  readonly #apply = ({ id, roles, permissions, controlling }: SessionUser): void => {
    if (id !== this.client.welcome?.userId) return;
    // An admin can also give control to a user without the role.
    const isPossible = controlling || (roles.includes('control') && !permissions.control_disabled);
    if (isPossible === this.#isPossible) return;
    this.#isPossible = isPossible;
    this.onChange();
  };
}

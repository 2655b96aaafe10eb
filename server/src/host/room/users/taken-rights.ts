import type { Role } from 'cloud-browser/protocol';
import { withPermissions, withRoles, type Rights } from './rights.js';

interface Taken {
  roles: ReadonlySet<Role>;
  /** True if an admin has set `control_disabled`. */
  control: boolean;
}

const NOTHING: Taken = { roles: new Set(), control: false };

/**
 * Rights that admins have taken from agents, by the token that admitted the agent. An agent that joins again
 * is a new user, and a program joins again automatically. If it got the rights of its token again, taking a
 * right would have no effect.
 */
export class TakenRights {
  readonly #taken = new Map<string, Taken>();

  /** Records that an admin has changed the rights of an agent. */
  changed(token: string, before: Rights, now: Rights): void {
    const taken = this.#taken.get(token) ?? NOTHING;
    const lost = [...before.roles].filter((role) => !now.roles.has(role));
    // A taken role is given back only if this agent lacked it before and has it after the change. Another
    // agent of the token may still have the role. A change of that agent does not give the role back.
    const kept = [...taken.roles].filter((role) => before.roles.has(role) || !now.roles.has(role));
    const [was, is] = [before, now].map(({ permissions }) => permissions.control_disabled);
    const control = was === is ? taken.control : is === true;
    this.#taken.set(token, { roles: new Set([...kept, ...lost]), control });
  }

  /** Gives roles back to the agents of all tokens, because an admin has given them to everyone. */
  giveBack(given: readonly Role[]): void {
    for (const [token, { roles, control }] of this.#taken)
      this.#taken.set(token, { roles: new Set([...roles].filter((role) => !given.includes(role))), control });
  }

  /** Returns the rights of an agent that joins, without the rights that admins have taken. */
  without(rights: Rights, token: string): Rights {
    const { roles, control } = this.#taken.get(token) ?? NOTHING;
    const left = withRoles(rights, [...roles], false);
    return control ? withPermissions(left, { control_disabled: true }) : left;
  }
}

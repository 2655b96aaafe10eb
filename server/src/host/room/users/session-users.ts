import type { Calls } from '../calls/calls.js';
import { Control } from './control.js';
import { KnownUsers } from './known-users.js';
import { Roster } from './roster.js';

/** The users of a session, with and without a connection, and their control of the browser. */
export class SessionUsers {
  readonly control = new Control(() => performance.now());
  readonly roster: Roster;
  readonly known: KnownUsers;

  constructor(calls: Calls) {
    this.roster = new Roster(calls, this.control);
    this.known = new KnownUsers((id) => this.roster.viewer(id) !== undefined);
  }
}

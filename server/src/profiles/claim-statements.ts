import type { Statement } from '../database/statement.js';

const statement = (name: string, text: string): Statement => ({ name: `profile_claim_${name}`, text });

/** Condition for a claim (the row `w`): the process that made the claim is still alive. */
const ALIVE = `exists (select from nodes n
  where n.code = w.node and n.epoch = w.epoch and n.state = 'alive')`;

/**
 * Claims a profile: reserves for one session the right to save it. The epoch of a node increases each time
 * the node joins the cluster. $1 profile, $2 session, $3 node, $4 epoch, $5 webhook. Returns two booleans.
 * The first is true if the session has the claim. The second is true if another claim exists and its node is
 * unreachable.
 */
export const CLAIM = statement(
  'take',
  `with mine as (
     insert into profile_writers (profile, session_id, node, epoch, webhook) values ($1, $2, $3, $4, $5)
     on conflict (profile) do update set epoch = excluded.epoch
     where profile_writers.node = excluded.node and profile_writers.session_id = excluded.session_id
       and profile_writers.given_up_at is null
     returning 1)
   select exists (select from mine) as mine,
     coalesce((select not ${ALIVE} from profile_writers w where w.profile = $1), false) as "left"`,
);

/**
 * Confirms a claim. $1 profile, $2 session, $3 node, $4 epoch, $5 true if the session has ended and its data
 * is not saved yet. The node may have had another code when it made the claim.
 */
export const CONFIRM = statement(
  'confirm',
  `update profile_writers set node = $3, epoch = $4, has_left = has_left or $5
   where profile = $1 and session_id = $2 and given_up_at is null returning profile`,
);

/**
 * Confirms a claim for unsaved data of an unknown session. An older version of the service has stored the
 * data without the id of its session. $1 profile, $2 node, $3 epoch.
 */
export const CONFIRM_UNNAMED = statement(
  'confirm_unnamed',
  `insert into profile_writers (profile, session_id, node, epoch) values ($1, null, $2, $3)
   on conflict (profile) do update set session_id = null, epoch = excluded.epoch
   where profile_writers.node = excluded.node and profile_writers.epoch <= excluded.epoch
     and profile_writers.given_up_at is null
   returning profile`,
);

/** Returns a row if the session was the last to save the profile. $1 profile, $2 session. */
export const SAVED_BY = statement('saved_by', 'select from profiles where id = $1 and saved_by = $2');

/**
 * Finds a claim that forbids a session to load a profile. $1 profile, $2 node of the session. There are three
 * kinds of such claims:
 * - a claim whose process is not alive.
 * - a claim of another node whose session creates the profile (both have the same id) or is unknown.
 * - a claim of another node that has unsaved data of an ended session.
 */
export const HOLDER = statement(
  'holder',
  `select ${ALIVE} as alive from profile_writers w
   where w.profile = $1 and (not ${ALIVE} or (w.node <> $2 and (w.has_left or coalesce(w.session_id, w.profile) = w.profile)))`,
);

/** Releases a claim. $1 profile, $2 node, $3 session. */
export const RELEASE = statement(
  'release',
  `delete from profile_writers
   where profile = $1 and node = $2 and session_id is not distinct from $3 and given_up_at is null`,
);

/** Moves claims of a node to its new process, by setting the new epoch. $1 node, $2 epoch, $3 profiles. */
export const RENEW = statement(
  'renew',
  'update profile_writers set epoch = $2 where node = $1 and epoch < $2 and profile = any ($3)',
);

/**
 * Selects the claims of a node for which the node has no data. Also selects claims of all nodes whose data an
 * operator discarded more than ten seconds ago, because their events may not have been sent. Excludes claims
 * of an earlier process of the node that may still run. Also excludes claims of the last minute, because
 * their session may not have started yet. `known` is false if the claim is younger than a day and its session
 * has no record. No client has received such a session.
 *
 * $1 node, $2 profiles whose data the node has
 */
export const LOST = statement(
  'lost',
  `select w.profile, w.session_id as "sessionId", w.webhook, w.given_up_at is not null as "givenUp",
     w.session_id is null or w.claimed_at < now() - interval '1 day'
       or exists (select from sessions s where s.id::text = w.session_id) as known
   from profile_writers w left join nodes n on n.code = w.node
   where w.given_up_at < now() - interval '10 seconds'
     or (w.node = $1 and w.profile <> all ($2) and w.given_up_at is null and case when w.epoch < n.epoch
       then n.former_until is null or n.former_until <= clock_timestamp()
       else w.claimed_at < now() - interval '1 minute' end)`,
);

/** Deletes a claim. $1 profile, $2 session. */
export const DROP = statement(
  'drop',
  'delete from profile_writers where profile = $1 and session_id is not distinct from $2',
);

/** Selects claims of nodes that are not alive. */
export const UNSAVED = statement(
  'unsaved',
  `select w.profile, w.session_id as "sessionId", w.node::text as node, n.name as "nodeName", w.claimed_at as since
   from profile_writers w left join nodes n on n.code = w.node
   where not ${ALIVE} and w.given_up_at is null order by w.claimed_at, w.profile`,
);

/** Discards the unsaved data of a profile. After that, no node saves it. $1 profile. */
export const GIVE_UP = statement(
  'give_up',
  `update profile_writers w set given_up_at = now() where w.profile = $1 and not ${ALIVE} and w.given_up_at is null
   returning w.profile, w.session_id as "sessionId", w.webhook`,
);

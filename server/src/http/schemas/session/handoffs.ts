import { HANDOFF_ANSWERS, MAX_HANDOFF_CHARS, MAX_HANDOFF_SECONDS } from 'cloud-browser/protocol';
import { Type } from 'typebox';
import { expected } from '../../../create-fields/expected.js';
import { oneOf } from '../../../create-fields/schema-parts.js';

/** Longest time for which a request waits for the end of a hand-off, in seconds. */
const MAX_WAIT_SECONDS = 25;

const textOrNull = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });

/** The body of `POST {session}/handoffs`. */
export const HandoffBody = Type.Object({
  instructions: Type.String({
    minLength: 1,
    maxLength: MAX_HANDOFF_CHARS,
    description: 'Instructions for the person, as plain text.',
  }),
  timeout: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: MAX_HANDOFF_SECONDS,
      description: 'Seconds until it ends without an answer. Default 600.',
    }),
  ),
  agent: Type.Optional(
    Type.String({ description: 'User id of the agent that waits. Default: all agents of the session wait.' }),
  ),
  name: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'Name that viewers see. Default: the name of the agent, its token or automation.',
    }),
  ),
});

/** A hand-off: an agent's request for a person. */
export const HandoffView = Type.Object({
  id: Type.String(),
  agent: textOrNull('User id of the agent. Null: all agents of the session wait.'),
  name: Type.String(),
  instructions: Type.String(),
  requested_at: Type.String({ description: 'RFC 3339, UTC.' }),
  expires_at: Type.String({ description: 'RFC 3339, UTC.' }),
  outcome: Type.Union([oneOf([...HANDOFF_ANSWERS, 'timeout', 'withdrawn'] as const), Type.Null()], {
    description: 'Null while it waits for an answer.',
  }),
  note: Type.String({ description: 'Text of the person who answered.' }),
  answered_by: textOrNull('User who answered.'),
});

/** The open hand-offs of a session. */
export const HandoffList = Type.Object({
  handoffs: Type.Array(HandoffView, {
    description: 'Oldest first. The ones that have ended are not listed.',
  }),
});

/** The path of a hand-off below a session's own address. */
export const HandoffPath = Type.Object({
  address: Type.String({ description: 'The path of the embed_url.' }),
  handoff_id: Type.String({ maxLength: 64 }),
});

/** The query of `GET {session}/handoffs/{id}`. */
export const HandoffQuery = Type.Object({
  wait: Type.Optional(
    Type.String({
      pattern: '^(1?[0-9]|2[0-5])$',
      description: `Seconds to wait for the end, 0 to ${MAX_WAIT_SECONDS}. Default 0.`,
      ...expected(`a whole number from 0 to ${MAX_WAIT_SECONDS}`),
    }),
  ),
});

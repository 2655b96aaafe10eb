import { Type, type Static } from 'typebox';
import { DEFAULT_SETTINGS, FPS_LIMITS, SCREEN_LIMITS } from '../../sessions/session-settings.js';

const side = (axis: string, standard: number) =>
  Type.Optional(
    Type.Integer({
      minimum: SCREEN_LIMITS.minSide,
      maximum: SCREEN_LIMITS.maxSide,
      default: standard,
      description: `${axis} of the remote screen in pixels. Both sides are given or neither; at most 1920 x 1080 pixels in total.`,
    }),
  );

/** The body of `POST /v0/vm`. Fields that are not listed are ignored. */
export const CreateSessionBody = Type.Object({
  start_url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 8192,
      default: DEFAULT_SETTINGS.startUrl,
      description: 'First address of the browser: http, https or about:. A bare domain is opened with https.',
    }),
  ),
  width: side('Width', DEFAULT_SETTINGS.width),
  height: side('Height', DEFAULT_SETTINGS.height),
  fps: Type.Optional(
    Type.Integer({
      minimum: FPS_LIMITS.min,
      maximum: FPS_LIMITS.max,
      default: DEFAULT_SETTINGS.fps,
      description: 'Frames a second.',
    }),
  ),
  kiosk: Type.Optional(
    Type.Boolean({
      default: DEFAULT_SETTINGS.kiosk,
      description: 'Shows the page alone, without the browser around it.',
    }),
  ),
  hide_cursor: Type.Optional(
    Type.Boolean({
      default: DEFAULT_SETTINGS.hideCursor,
      description: 'Never shows the pointer of the remote system.',
    }),
  ),
});
export type CreateSessionBody = Static<typeof CreateSessionBody>;

/** What creating a session answers. */
export const SessionAccess = Type.Object({
  session_id: Type.String({ description: 'Identifier of the session, a UUID. It opens nothing by itself.' }),
  embed_url: Type.String({ description: 'Address for viewers. Whoever has it may view and control.' }),
  admin_token: Type.String({ description: 'Credential for the endpoints under the address of the session.' }),
});
export type SessionAccess = Static<typeof SessionAccess>;

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** A session as `GET /v0/vm/{session_id}` shows it. */
export const SessionView = Type.Object({
  ...SessionAccess.properties,
  creation_date: Type.String({ description: 'RFC 3339, UTC.' }),
  termination_date: nullableText('RFC 3339, UTC; null while the session is active.'),
  termination_reason: nullableText('Why the session ended; null while it is active.'),
  state: Type.String({
    enum: ['starting', 'running', 'ended'],
    description: 'Where the session is in its life.',
  }),
  viewers: Type.Integer({ description: 'Viewers connected now.' }),
  last_input_date: nullableText('RFC 3339, UTC, to a second; null when nobody did anything yet.'),
});
export type SessionView = Static<typeof SessionView>;

/** What ending a session answers. */
export const SessionEnded = Type.Object({ session_id: Type.String() });

/** The path of one session. */
export const SessionPath = Type.Object({ session_id: Type.String({ maxLength: 100 }) });

import { Type, type TSchema } from 'typebox';

/**
 * Time at which a setting takes effect in a browser.
 * - `launch`: at the start of the browser, as a flag, an environment variable, an extension or a policy. The
 *   setting has no effect in a browser that was started without it.
 * - `screen`: in a running browser. A warm browser is started before a session needs it, with the value of
 *   the last request. So the value seldom has to change.
 * - `later`: in a running browser.
 * - `cold`: only in a browser that is started for this session.
 *
 * Policies count as `launch`, because Chromium applies a changed policy file only after five seconds without
 * a further change. A cold start takes much less time. Field masking also counts as `launch`, because it must
 * be active in every page before the page's first script.
 */
export type Effect = 'launch' | 'screen' | 'later' | 'cold';

/**
 * A field of a create request. The code derives these from the row: the request's schema, the defaults, the
 * OpenAPI description, the settings of the session's host, the choice of a warm browser, `cloud-browser
 * --help create`, the table in `docs/api.md` and the type `CreateSession` of `cloud-browser/api`.
 */
export interface FieldRow<Schema extends TSchema = TSchema> {
  /** Type and bounds. Description and default come from the row. */
  readonly schema: Schema;
  /**
   * Value if the request does not set the field. Absent if the value depends on other fields, or if there is
   * none.
   */
  readonly standard?: string | number | boolean;
  /** Meaning, in Markdown without links. */
  readonly about: string;
  /** Sentences for `docs/api.md` alone, in Markdown. */
  readonly links?: string;
  /** Texts for people. They replace the texts that are derived from the schema and the default. */
  readonly shown?: { readonly type?: string; readonly standard?: string };
  /** TypeScript type. It replaces the type that is derived from the schema. */
  readonly type?: string;
  /**
   * Settings of the session's host that the field sets. Absent for a flag of the browser (see `flag`), and
   * for a field that the host does not need.
   */
  readonly host?: Readonly<Record<string, Effect>>;
  /** Set for a flag of the browser: time at which the setting of the same name takes effect. */
  readonly flag?: Effect;
  /** True for an old form of a field. Types for new code do not contain it. */
  readonly deprecated?: true;
}

/** Returns the row unchanged. The compiler checks its form, and keeps its exact type. */
export const row = <const Row extends FieldRow>(given: Row): Row => given;

/**
 * Returns the row of a boolean field with the default false. The session's host gets a setting of the same
 * name.
 */
export const browserFlag = <const At extends Effect>(at: At, about: string, links?: string) => ({
  schema: Type.Boolean(),
  standard: false as const,
  about,
  flag: at,
  ...(links !== undefined && { links }),
});

/** Name of a field in the style of a TypeScript property. */
export type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** Converts the name of a field to the style of a TypeScript property: `hide_cursor` becomes `hideCursor`. */
export const camelOf = (name: string): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

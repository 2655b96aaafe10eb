import { AUTOMATION_FIELDS } from './automation-fields.js';
import { BROWSER_FIELDS } from './browser-fields.js';
import { camelOf, type Camel, type Effect, type FieldRow } from './field-row.js';
import { SCREEN_FIELDS } from './screen-fields.js';
import { SESSION_FIELDS } from './session-fields.js';
import { VIEWER_FIELDS } from './viewer-fields.js';

/** All fields of `POST /v0/vm`, in the order of the documentation. */
export const CREATE_FIELDS = {
  ...BROWSER_FIELDS,
  ...SCREEN_FIELDS,
  ...SESSION_FIELDS,
  ...VIEWER_FIELDS,
  ...AUTOMATION_FIELDS,
};

type Rows = typeof CREATE_FIELDS;

/** Name of a creation field. */
export type FieldName = keyof Rows;

/** Names of the fields that are plain flags of the browser. */
type FlagName = { [Name in FieldName]: Rows[Name] extends { flag: Effect } ? Name : never }[FieldName];

/** The flags of a browser, as its host receives them. {@link CREATE_FIELDS} documents each. */
export type BrowserFlags = { [Name in FlagName as Camel<Name>]: boolean };

type HostNames<Row> = Row extends { host: infer Settings } ? keyof Settings : never;

/** Setting of a session's host that a creation field sets. */
export type FieldSetting = keyof BrowserFlags | HostNames<Rows[FieldName]>;

/** The rows with their names, as a list. */
export const FIELD_LIST = Object.entries<FieldRow>(CREATE_FIELDS).map(([name, row]) => ({ name, row }));

/**
 * Time at which each setting takes effect. Contains only settings that a creation field sets for the
 * session's host.
 */
export const FIELD_EFFECTS = Object.fromEntries(
  FIELD_LIST.flatMap(({ name, row }) => [
    ...(row.flag ? [[camelOf(name), row.flag] as const] : []),
    ...Object.entries(row.host ?? {}),
  ]),
) as Record<FieldSetting, Effect>;

const FLAG_NAMES = FIELD_LIST.flatMap(({ name, row }) => (row.flag ? [name as FlagName] : []));

/** Returns the flags of a request's browser. A flag that is not set is false. */
export function browserFlagsOf(request: { readonly [Name in FlagName]?: boolean | undefined }): BrowserFlags {
  return Object.fromEntries(
    FLAG_NAMES.map((name) => [camelOf(name), request[name] ?? false]),
  ) as BrowserFlags;
}

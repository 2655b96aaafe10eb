import type { Machine } from './machine.js';
import { plainText } from '../platform/markdown.js';
import type { ComputedDefault, Variable, Variables } from './variables/variable.js';

/** Name of a variable's setting: `RECORD_DAYS` becomes `recordDays`. */
type SettingName<N extends string> = N extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<SettingName<Rest>>}`
  : Lowercase<N>;

/** Type of a setting. It includes undefined only if the variable has no default. */
type Setting<V extends Variable> =
  Exclude<ReturnType<V['parse']>, undefined> | (V extends { default: unknown } ? never : undefined);

/** The values of variables, by setting names. */
export type Settings<G extends Variables> = {
  [N in keyof G & string as SettingName<N>]: Setting<G[N]>;
};

/** Input of {@link readSettings}. `readSettings` adds a sentence to `problems` for each invalid value. */
export interface SettingSources {
  environment: NodeJS.ProcessEnv;
  machine: Machine;
  problems: string[];
}

/** Reads variables. A setting without a value gets the variable's default. */
export function readSettings<G extends Variables>(variables: G, sources: SettingSources): Settings<G> {
  const settings: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(variables))
    settings[settingName(name)] = read(name, variable, sources) ?? defaultOf(variable, sources);
  return settings as Settings<G>;
}

/** Returns the parsed value of a variable. Undefined if the variable is not set or invalid. */
function read(name: string, variable: Variable, { environment, problems }: SettingSources): unknown {
  const text = environment[name]?.trim();
  if (!text) return undefined;
  const value = variable.parse(text);
  // A secret must not appear in an error.
  if (value === undefined)
    problems.push(
      `${name} must be ${plainText(variable.expected)}${variable.secret ? '' : `, not "${text}"`}.`,
    );
  return value;
}

function defaultOf(variable: Variable, { machine, environment }: SettingSources): unknown {
  return isComputed(variable.default) ? variable.default(machine, environment) : variable.default;
}

function isComputed(value: unknown): value is ComputedDefault<unknown> {
  return typeof value === 'function';
}

function settingName(name: string): string {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

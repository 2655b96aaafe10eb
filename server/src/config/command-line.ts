import { parseArgs } from 'node:util';
import { CodedError } from '../platform/coded-error.js';

/** Thrown if the command was called with an unknown argument, or with arguments that exclude each other. */
export class UnknownArgumentError extends CodedError {
  readonly code = 'err_unknown_argument';

  constructor(argument: string) {
    super(
      `The argument "${argument}" is not valid here. Use one of --check, --help, --help create, ` +
        '--help mcp, --version and mcp, or no argument.',
    );
  }
}

/** Arguments of the command `cloud-browser`. */
export interface CommandLine {
  /** The word besides the options: `mcp`, or a topic of the help. */
  topic: string | undefined;
  /** True if the help was requested. Then the other options have no effect. */
  help: boolean;
  check: boolean;
  version: boolean;
}

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  check: { type: 'boolean' },
  version: { type: 'boolean' },
} as const;

type Option = keyof typeof OPTIONS;

/** Reads the arguments of the command. Throws {@link UnknownArgumentError}. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { tokens } = parseArgs({
    args: [...args],
    options: OPTIONS,
    allowPositionals: true,
    // Otherwise Node reports unknown options, with advice that does not apply to this command.
    strict: false,
    tokens: true,
  });
  const options: Option[] = [];
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!isOption(name) || value !== undefined) throw new UnknownArgumentError(rawName);
    if (!options.includes(name)) options.push(name);
  }
  const [topic, extraWord] = words;
  if (extraWord !== undefined) throw new UnknownArgumentError(extraWord);
  const help = options.includes('help');
  // A word, `--check` and `--version` exclude each other.
  const extra = topic === undefined ? options[1] : options[0];
  if (!help && extra !== undefined) throw new UnknownArgumentError(`--${extra}`);
  return { topic, help, check: options.includes('check'), version: options.includes('version') };
}

function isOption(name: string): name is Option {
  return Object.hasOwn(OPTIONS, name);
}

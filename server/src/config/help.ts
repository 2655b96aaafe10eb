import { plainText } from '../platform/markdown.js';
import { defaultTextOf, meaningOf } from './variable-texts.js';
import { VARIABLE_GROUPS, VARIABLES } from './variables/index.js';

/** Returns the output of `cloud-browser --help`. */
export function helpText(): string {
  const width = Math.max(...Object.keys(VARIABLES).map((name) => name.length));
  const groups = VARIABLE_GROUPS.flatMap(({ title, variables }) => [
    `${title}:`,
    ...Object.entries(variables).map(
      ([name, variable]) =>
        `  ${name.padEnd(width)}  ${plainText(`${meaningOf(variable)} (${defaultTextOf(variable)})`)}`,
    ),
    '',
  ]);
  return [
    'Usage: cloud-browser [--check | --help | --help create | --help mcp | --version | mcp]',
    '',
    'Runs the cloud-browser service: its HTTP API, its demo and the browsers of its sessions.',
    'With --check it only starts one test session, and prints what is missing.',
    '--help create lists the fields of a request for a new session.',
    'mcp serves the tools of one browser to an AI application, on its standard input and output.',
    '--help mcp lists the variables that mcp reads.',
    '',
    'Environment variables configure the service. Their defaults are in parentheses.',
    '',
    ...groups,
  ].join('\n');
}

import { VARIABLES } from './variables.js';

/** Returns the output of `cloud-browser --help`. */
export function helpText(): string {
  const width = Math.max(...Object.keys(VARIABLES).map((name) => name.length));
  const rows = Object.entries(VARIABLES).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`);
  return [
    'Usage: cloud-browser [--check | --help]',
    '',
    'Runs the cloud-browser service: its HTTP API, its demo and the browsers of its sessions.',
    '--check starts one session instead and says what is missing.',
    '',
    'The environment configures it; defaults are in brackets:',
    '',
    ...rows,
    '',
  ].join('\n');
}

import { markdownTable, withPart } from '../platform/markdown.js';
import { defaultTextOf, meaningOf } from './variable-texts.js';
import { VARIABLE_GROUPS } from './variables/index.js';
import type { Variables } from './variables/variable.js';

/** Returns a document with new tables of the variables between its two markers. */
export function withVariablesTables(document: string): string {
  const tables = VARIABLE_GROUPS.map(({ title, variables }) => `**${title}**\n\n${table(variables)}`);
  return withPart(document, 'variables', tables.join('\n\n'));
}

function table(variables: Variables): string {
  const rows = Object.entries(variables).map(([name, variable]) => [
    `\`${name}\``,
    defaultTextOf(variable),
    [meaningOf(variable), variable.docs].filter(Boolean).join('. '),
  ]);
  return markdownTable([['Variable', 'Default', 'Meaning'], ...rows]);
}

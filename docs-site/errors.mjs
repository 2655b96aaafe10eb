/** The page of all error codes, with the service's sentence and the guides' advice for each code. */
import { codeRows, plain } from './tables.mjs';

const isCode = ({ code }) => code.startsWith('err_');

function entry(code, parts) {
  return [`### \`${code}\` {#${code}}`, ...parts.filter((part) => part !== undefined && part !== '')].join(
    '\n\n',
  );
}

/**
 * @param errors refusals of the REST API, with sentences from the service's own table
 * @param api the guide to the REST API, with its table of errors
 * @param sdk the recipes of the SDK, with its tables of errors, states and reasons
 */
export function errorsPage({ errors, api, sdk }) {
  const sentences = new Map(errors.map(({ code, message }) => [code, message]));
  const service = codeRows(api).filter(isCode);
  const thrown = codeRows(sdk).filter((row) => isCode(row) && row.cells.length === 3);
  const calls = codeRows(sdk).filter((row) => isCode(row) && row.cells.length === 2);
  return `---
outline: 2
---

# Errors by code

Search this page for your code, or add \`#err_…\` to the address of this page. Every refusal has a stable \`code\` and a
sentence. A \`…\` in a sentence stands for a detail. If you have no code, see [troubleshooting](../troubleshooting.md).

## Answers of the REST API

${service
  .map(({ code, cells: [status, when] }) => {
    const sentence = sentences.get(code);
    return entry(code, [
      `**${status}.** ${capital(mended(when, 'api.md'))}.`,
      sentence === undefined || sentence.startsWith(DETAIL) ? '' : `> ${plain(sentence)}`,
    ]);
  })
  .join('\n\n')}

## Errors that the SDK throws

${thrown
  .filter(({ code }) => !service.some((row) => row.code === code))
  .map(({ code, cells: [name, meaning, advice] }) =>
    entry(code, [`${name}: ${mended(meaning)}.`, `**To do:** ${mended(advice)}.`]),
  )
  .join('\n\n')}

## Answers of a session to calls

A \`CallError\` in the page has one of these codes. Codes that the REST API returns too are above, with their status.

${calls
  .map(({ code, cells: [meaning, advice] }) =>
    service.some((row) => row.code === code)
      ? `- [\`${code}\`](#${code}): ${mended(advice)}`
      : entry(code, [`${capital(mended(meaning))}.`, `**To do:** ${mended(advice)}.`]),
  )
  .sort((a, b) => Number(b.startsWith('-')) - Number(a.startsWith('-')))
  .join('\n\n')}
`;
}

const DETAIL = '…';
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
/** Changes links to a heading of the guide. They lead to the guide, not to this page. */
const mended = (text, guide = 'sdk.md') => text.replace(/\]\(#/g, `](../${guide}#`);

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROLES, TAB_EVENTS, TAB_METHODS } from '../../../src/protocol/index.js';
import { CreateRequest } from '../../../server/src/create-fields/create-request.js';
import { namesIn } from '../../../scripts/lib/proofs.mjs';
import { ROOT } from './test-titles.js';

const VERDICTS = ['same', 'better', 'different', 'missing'];
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

interface Row {
  /** Names in the first cell: each code of a list of codes, or else the whole cell. */
  names: string[];
  cells: string[];
}

/** The tables below headings, by heading. */
function tablesOf(text: string): Map<string, Row[]> {
  const parts = text.split(/^### /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [heading = '', ...lines] = (part.split(/^#/m)[0] ?? '').split('\n');
      const rows = lines.filter((line) => line.startsWith('|')).slice(2);
      return [heading, rows.map(rowOf)];
    }),
  );
}

function rowOf(line: string): Row {
  const cells = line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
  const names = namesIn(cells[0] ?? '');
  return { names, cells };
}

const namesOf = (rows: Row[] = []) => rows.flatMap(({ names }) => names);
const [, comparison = ''] = read('docs/migration.md').split('## Comparison of the features');
const told = tablesOf(comparison.split(/^## /m)[0] ?? '');

describe('the migration page', () => {
  it('has one verdict for every row, and an explanation for each difference', () => {
    for (const { names, cells } of [...told.values()].flat()) {
      const [, verdict = '', words = ''] = cells;
      assert.ok(VERDICTS.includes(verdict), names.join());
      assert.ok(verdict === 'same' || words.length > 0, names.join());
    }
  });

  it('lists every creation field, every role, and every method and event of tabs', () => {
    const fields = namesOf(told.get('Fields of a new session'));
    const missing = Object.keys(CreateRequest.properties).filter(
      (field) => !fields.some((name) => name === field || name.startsWith(`${field}.`)),
    );
    assert.deepEqual(missing, []);
    assert.deepEqual(namesOf(told.get('Roles')).sort(), [...ROLES].sort());
    const tabs = namesOf(told.get('Members of the client')).filter((name) => name.startsWith('tabs.'));
    assert.deepEqual(tabs.sort(), [...TAB_METHODS, ...TAB_EVENTS].map((name) => `tabs.${name}`).sort());
  });

  it('lists every request of the API that the hosted service has', () => {
    const paths = [...read('docs/api.md').matchAll(/"\$(?:BASE_URL|SESSION_URL)(\/[\w./]*)/g)];
    const ours = [
      '/handoffs',
      '/handoffs/',
      '/recordings',
      '/recordings/',
      '/tokens',
      '/tokens/',
      '/users',
      '/pinSize',
      '/tabs.query',
      '/tabs.update',
      '/dialogs.list',
      '/dialogs.answer',
    ];
    const programs = [
      ...['/screenshot', '/downloads/', '/uploads', '/uploads/', '/computer/choose'],
      ...['/computer/accessibility', '/computer/click', '/computer/type'],
    ];
    const operators = [
      '/livez',
      '/readyz',
      '/metrics',
      '/openapi.json',
      '/v0/nodes',
      '/v0/profiles/unsaved',
      '/v0/profiles/unsaved/',
    ];
    const requests = namesOf(told.get('Requests')).join('\n');
    for (const [, path = ''] of paths)
      if (![...ours, ...programs, ...operators].includes(path))
        assert.ok(requests.includes(path.replace(/\/$/, '')), path);
  });

  it('lists all declarations in the types of the public client', () => {
    const types = read('node_modules/@hyperbeam/web/index.d.ts');
    const membersOf = (declaration: RegExp) =>
      [...(declaration.exec(types)?.[1] ?? '').matchAll(/^ {4}(?:readonly )?(\w+)\??[:(]/gm)].map(
        ([, name = '']) => name,
      );
    const options = membersOf(/^declare function Hyperbeam\([^{]*\{\n([\s\S]*?)^\}/m);
    const members = membersOf(/^export declare type HyperbeamEmbed = \{\n([\s\S]*?)^\};/m);
    const exported = [...types.matchAll(/^export declare (?:class|function) (\w+)/gm)].map(
      ([, name = '']) => name,
    );
    assert.ok(options.length > 10 && members.length > 15 && exported.length > 4);
    const named = [
      ...namesOf(told.get('Options of the client')),
      ...namesOf(told.get('Members of the client')),
    ];
    const missing = [...options, ...members, ...exported].filter((name) => !named.includes(name));
    assert.deepEqual(missing, ['tabs']);
  });
});

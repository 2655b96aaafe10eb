import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { FILE_CODES, HOST_CALL_CODES } from '../../../server/src/http/answers/answer-errors.js';
import { ERROR_CODES } from '../../../server/src/service-error.js';
import { NOTICES } from '../../../server/src/host/room/notices.js';
import type { ConnectionState } from '../../../src/core/connection/connection-states.js';
import { FITS } from '../../../src/core/sizes/geometry.js';
import {
  CALL_ERROR_CODES,
  closeCodeOf,
  DISCONNECT_REASONS,
  SERVER_REASONS,
} from '../../../src/protocol/index.js';
import { ROOT } from './test-titles.js';

/** The `README.md` of every source folder that has one. */
const FOLDER_PAGES = ['src', 'server/src', 'docs-site']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((name) => name.endsWith('README.md') && !name.includes('node_modules'));

const PAGES = [
  ...FOLDER_PAGES,
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

const STATES: ConnectionState[] = ['idle', 'connecting', 'playing', 'reconnecting', 'failed', 'closed'];

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const withoutCode = (text: string): string => text.replace(/```[\s\S]*?```/g, '');

/** Targets of Markdown links and images, and of `src` attributes. */
function linksOf(text: string): string[] {
  const links = withoutCode(text).matchAll(/\]\(([^)\s]+)\)|\bsrc="([^"]+)"/g);
  return [...links].map(([, markdown, html]) => markdown ?? html ?? '');
}

/** The anchors of headings, as GitHub generates them. */
function anchorsOf(page: string): string[] {
  const headings = withoutCode(readFileSync(page, 'utf8')).matchAll(/^#+\s+(.+)$/gm);
  return [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function isBroken(page: string, link: string): boolean {
  if (/^[a-z]+:/i.test(link)) return false;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
  return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
}

/** The first column of every table row that starts with code, as in `| \`PORT\` | … |`. */
function firstColumns(page: string): string[] {
  return [...read(page).matchAll(/^\|\s*`([^`]+)`/gm)].map(([, name = '']) => name);
}

/** Source text of every module below a folder. */
function sourcesOf(folder: string): string {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))
    .join('\n');
}

describe('the documentation', () => {
  for (const page of PAGES) {
    it(`has no broken link in ${page}`, () => {
      assert.deepEqual(
        linksOf(read(page)).filter((link) => isBroken(page, link)),
        [],
      );
    });
  }

  it('lists every page of docs/ in its index', () => {
    const listed = linksOf(read('docs/README.md')).map((link) => relative(ROOT, join(ROOT, 'docs', link)));
    const pages = PAGES.filter((page) => page.startsWith('docs/') && page !== join('docs', 'README.md'));
    assert.deepEqual(
      pages.filter((page) => !listed.includes(page)),
      [],
    );
  });

  it('explains every reason why a connection ends, with its close code', () => {
    const text = read('docs/protocol.md');
    for (const reason of DISCONNECT_REASONS) {
      const sent = SERVER_REASONS.find((each) => each === reason);
      const code = sent ? closeCodeOf(sent) : 'none';
      assert.match(text, new RegExp(`^\\| ${code} +\\| \`${reason}\` +\\|`, 'm'));
    }
  });

  // Proves: status err_api_restricted
  it('lists exactly the error codes of the service', () => {
    const documented = firstColumns('docs/api.md').filter((name) => name.startsWith('err_'));
    assert.deepEqual(documented.sort(), [...ERROR_CODES, ...HOST_CALL_CODES, ...FILE_CODES].sort());
  });

  it('explains every error of the SDK and of calls, every state and every reason', () => {
    const thrown = [
      ...`${read('src/core/errors.ts')}${read('src/protocol/bytes.ts')}`.matchAll(/code = '(err_\w+)'/g),
    ].map(([, code = '']) => code);
    const codes = [...thrown, ...CALL_ERROR_CODES];
    const explained = firstColumns('docs/sdk.md');
    const onTheWire = firstColumns('docs/protocol.md');
    for (const code of CALL_ERROR_CODES) assert.ok(onTheWire.includes(code), code);
    for (const name of [...codes, ...STATES, ...DISCONNECT_REASONS])
      assert.ok(explained.includes(name), name);
    assert.deepEqual(
      explained.filter((name) => name.startsWith('err_') && !codes.includes(name)),
      [],
    );
  });

  it('explains every kind of notice, and no other', () => {
    const [, section = ''] =
      /\n## When the remote browser [^\n]*\n([\s\S]*?)\n## /.exec(read('docs/sdk.md')) ?? [];
    const explained = [...section.matchAll(/^\| `([\w-]+)`/gm)].map(([, kind = '']) => kind);
    const kinds = new Set<string>(Object.values(NOTICES).map(({ kind }) => kind));
    // The first row is the head of the table.
    assert.deepEqual(explained.sort(), [...kinds, 'kind'].sort());
  });

  it('calls the address of a session SESSION_URL, except beside names of the hosted service', () => {
    const other = /\$SESSION\b|\{session\}|\/SESSION\//;
    const pages = PAGES.filter((page) => page.startsWith('docs/') && page !== 'docs/migration.md');
    assert.deepEqual(
      pages.filter((page) => other.test(read(page))),
      [],
    );
  });

  it('reads the active tab of the window in front, because each popup has an active tab too', () => {
    const texts = [...PAGES.map(read), ...['demo', 'examples', 'src'].map(sourcesOf)].join('\n');
    const queries = texts.match(/\bquery\b[^{\n]*\{[^}\n]*\bactive\b"?: true[^}\n]*\}/g) ?? [];
    assert.ok(queries.length > 4);
    assert.deepEqual(
      queries.filter((query) => !query.includes('lastFocusedWindow')),
      [],
    );
  });

  it('explains every code that pages of the egress process show, and no other', () => {
    const codesOf = (text: string) => [...new Set(text.match(/\berr_egress_\w+/g))].sort();
    const shown = codesOf(sourcesOf('server/src/egress'));
    assert.ok(shown.length > 3);
    assert.deepEqual(codesOf(read('docs/operating.md')), shown);
  });

  it('names every error code of the client for servers', () => {
    const codes = [...sourcesOf('src/api').matchAll(/'(err_\w+)'/g)].map(([, code = '']) => code);
    assert.ok(codes.length > 0);
    const text = `${read('docs/sdk.md')}${read('docs/api.md')}`;
    assert.deepEqual(
      codes.filter((code) => !text.includes(`\`${code}\``)),
      [],
    );
  });

  it('lists the parts, slots, events, properties and states of the element', () => {
    const text = read('docs/embedding.md');
    const tags = /@(?:event \{\w+\}|slot|csspart|cssproperty|cssstate) \[?([\w-]+)/g;
    const declared = [...sourcesOf('src/element').matchAll(tags)].map(([, name = '']) => name);
    assert.ok(declared.length > 0);
    assert.deepEqual(
      [...declared, ...FITS].filter((name) => !text.includes(`\`${name}\``)),
      [],
    );
  });
});

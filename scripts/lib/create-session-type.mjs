import openapiTypescript, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import ts from 'typescript';
import { CreateRequest } from '../../server/src/create-fields/create-request.ts';
import { CREATE_FIELDS } from '../../server/src/create-fields/index.ts';
import { inRoot } from './paths.mjs';

const FILE = inRoot('src/api/create-session.ts');

/** Longest line of a comment. */
const COMMENT_WIDTH = 110;

/** Key of a schema that has a TypeScript type of its own. */
const TYPE = 'x-typescript';

/**
 * Returns the text of `src/api/create-session.ts`: the type of a create request without the fields that are
 * there for old programs only.
 */
export async function createSessionType() {
  const properties = Object.fromEntries(
    Object.entries(CREATE_FIELDS)
      .filter(([, { deprecated }]) => !deprecated)
      .map(([name, { type }]) => [
        name,
        { ...CreateRequest.properties[name], ...(type !== undefined && { [TYPE]: type }) },
      ]),
  );
  const description = {
    openapi: '3.1.0',
    info: { title: 'cloud-browser', version: '0' },
    paths: {},
    components: { schemas: { CreateSession: { type: 'object', properties } } },
  };
  const nodes = await openapiTypescript(JSON.stringify(description), {
    // A default that the service fills in does not make a field of the request required.
    defaultNonNullable: false,
    transform({ [TYPE]: type }, { path }) {
      // The server's schema accepts any text as a role, because unknown roles are ignored with a warning.
      const ownType = path?.endsWith('/roles') ? 'Role[]' : type;
      return ownType && ts.factory.createTypeReferenceNode(ownType);
    },
  });
  return format(header + declarationOf(astToString(nodes)), {
    ...(await resolveConfig(FILE)),
    filepath: FILE,
  });
}

const header = `// "npm run api" writes this file from server/src/create-fields/.
import type { Role } from '../protocol/index.js';
import type { Webhook } from './types.js';

/** Parameters of \`POST /v0/vm\`. All are optional. */
`;

/** Returns the type of the only schema in the output of openapi-typescript, as an interface. */
function declarationOf(output) {
  const source = ts.createSourceFile('output.ts', output, ts.ScriptTarget.Latest, true);
  let found;
  const visit = (node) => {
    if (ts.isPropertySignature(node) && node.name.getText() === 'CreateSession') found = node.type;
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return `export interface CreateSession ${withComments(withUndefined(found))}\n`;
}

/**
 * Returns the code of a type whose optional properties may also be undefined. Programs with the compiler
 * option `exactOptionalPropertyTypes` can then pass values that may be missing.
 */
function withUndefined(type) {
  const ends = [];
  const visit = (node) => {
    if (ts.isPropertySignature(node) && node.questionToken) ends.push(node.type.end - type.getStart());
    ts.forEachChild(node, visit);
  };
  visit(type);
  return ends
    .sort((a, b) => b - a)
    .reduce((code, end) => `${code.slice(0, end)} | undefined${code.slice(end)}`, type.getText());
}

/** Rewrites the comments of openapi-typescript in the project's form, with lines of limited length. */
function withComments(code) {
  return code.replace(/^( *)\/\*\*([\s\S]*?)\*\//gm, (_, indent, text) => {
    const parts = text
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('@enum'))
      .map((line) => line.replace(/^@description /, ''));
    // Prettier halves the indentation of the output.
    const width = COMMENT_WIDTH - indent.length / 2 - ' * '.length;
    const lines = parts.flatMap((part) => wrapped(part, width));
    const single = `${indent}/** ${lines[0]} */`;
    if (lines.length === 1 && single.length <= COMMENT_WIDTH) return single;
    return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`].join('\n');
  });
}

function wrapped(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

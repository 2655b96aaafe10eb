import { createConfig, lintFromString } from '@redocly/openapi-core';
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { recordingRoot, recordingsIn } from '../fakes/recording-parts.js';
import { createTestService } from '../fakes/test-service.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

let document: string;
before(async () => {
  const root = await recordingRoot();
  const { recordings } = await recordingsIn(root);
  const service = await createTestService({ recordings });
  ({ body: document } = await service.app.inject('/openapi.json'));
  await service.close();
  await rm(root, { recursive: true });
});

describe('the OpenAPI description', () => {
  // Proves: /openapi.json
  it('passes the Redocly linter without errors or warnings', async () => {
    const config = await createConfig({
      extends: ['recommended'],
      // The description of the test's service contains an example address.
      rules: { 'no-server-example.com': 'off' },
    });
    const problems = await lintFromString({ source: document, config });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
      [],
    );
  });
});

describe('types that openapi-typescript generates from the description', () => {
  let directory: string;
  before(async () => {
    // Inside the repository, so that the imports resolve to the package's sources and the compiler finds its
    // libraries.
    const parent = join(ROOT, '.build');
    await mkdir(parent, { recursive: true });
    directory = await mkdtemp(join(parent, 'openapi-'));
    await writeFile(join(directory, 'generated.ts'), astToString(await openapiTypescript(document)));
    await writeFile(join(directory, 'agreement.ts'), AGREEMENT);
  });
  after(() => rm(directory, { recursive: true }));

  // Proves: /openapi.json
  it('compile, and match those of cloud-browser/api', () => {
    const globals = join(ROOT, 'src/protocol/globals.d.ts');
    const program = ts.createProgram([join(directory, 'agreement.ts'), globals], {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      // Without the types of a platform, like the client itself.
      lib: ['lib.es2023.d.ts'],
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    });
    const problems = ts.getPreEmitDiagnostics(program);
    const host = { getCanonicalFileName: (name: string) => name, getCurrentDirectory: () => ROOT };
    assert.equal(ts.formatDiagnostics(problems, { ...host, getNewLine: () => '\n' }), '');
  });
});

/**
 * The client's types equal the service's description, field by field, in requests and responses. The client
 * omits fields that exist only for old customers. A wrong line here is a compiler error.
 */
const AGREEMENT = `
import type { CreateSession, SessionCreated, SessionView, SessionRow, UsageRow, TimeoutLimits, TimeoutState } from '../../src/api/index.js';
import type { AuthorizationAnswer } from '../../src/api/index.js';
import type { ComputerMethod, ComputerOptions, HandoffRequest, HandoffView, IssuedRecordingToken, Recording, RecordingFilters, RecordingSettings, RecordingToken, SessionUpload } from '../../src/api/index.js';
import type { paths } from './generated.js';

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type Answer<T> = T extends { responses: { 200: infer Ok } } ? Json<Ok> : never;
type Sent<T> = T extends { requestBody?: infer Body } ? Json<NonNullable<Body>> : never;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
type Fits<A, B> = [A] extends [B] ? true : never;
/** Requests of the client may contain undefined. The client omits it, so the service never receives it. */
type Defined<T> = T extends object ? { [Key in keyof T]: Defined<Exclude<T[Key], undefined>> } : T;

type Wishes = Sent<paths['/v0/vm']['post']>;
type Update = Sent<paths['/{address}/timeout']['post']>;
type Computer<Method extends ComputerMethod> = Sent<paths[\`/{address}/computer/\${Method}\`]['post']>;
type WithOptions = Exclude<ComputerMethod, 'accessibility' | 'files'>;
type Filters = NonNullable<paths['/v0/recordings']['get']['parameters']['query']>;
type OnlyForOldCustomers = 'ublock' | 'offline_timeout';

export const agreed: {
  fields: Same<keyof CreateSession, Exclude<keyof Wishes, OnlyForOldCustomers>>;
  wishes: Fits<Defined<CreateSession>, Wishes>;
  timeout: Same<keyof NonNullable<CreateSession['timeout']>, keyof NonNullable<Wishes['timeout']>>;
  access: Same<Answer<paths['/v0/vm']['post']>, SessionCreated>;
  view: Same<Answer<paths['/v0/vm/{session_id}']['get']>, SessionView>;
  rows: Same<Answer<paths['/v0/vm']['get']>['results'][number], SessionRow>;
  usage: Same<Answer<paths['/v0/vm/usage']['get']>['usage'][number], UsageRow>;
  update: Fits<Defined<TimeoutLimits & { reset?: boolean }>, Update>;
  recording: Same<Answer<paths['/v0/recordings/{id}']['get']>, Recording>;
  recordings: Same<Answer<paths['/v0/recordings']['get']>, { results: Recording[]; next: string | null }>;
  filters: Same<Defined<RecordingFilters>, Omit<Filters, 'after_id'>>;
  settings: Fits<Defined<RecordingSettings>, Sent<paths['/{address}/recordings']['post']>>;
  issued: Same<Answer<paths['/v0/recordings/{id}/tokens']['post']>, IssuedRecordingToken>;
  tokens: Same<Answer<paths['/v0/recordings/{id}/tokens']['get']>['tokens'][number], RecordingToken>;
  handoff: Same<Answer<paths['/{address}/handoffs']['post']>, HandoffView>;
  request: Same<Defined<HandoffRequest>, Sent<paths['/{address}/handoffs']['post']>>;
  upload: Same<Answer<paths['/{address}/uploads']['post']>, SessionUpload>;
  computer: { [Method in WithOptions]: Fits<Defined<ComputerOptions[Method]>, Computer<Method>> };
  options: {
    [Method in WithOptions]: Same<keyof ComputerOptions[Method], keyof Computer<Method>>;
  };
  limits: Same<Answer<paths['/{address}/timeout']['post']>, TimeoutState>;
} = {
  fields: true,
  wishes: true,
  timeout: true,
  access: true,
  view: true,
  rows: true,
  usage: true,
  update: true,
  recording: true,
  recordings: true,
  filters: true,
  settings: true,
  issued: true,
  tokens: true,
  handoff: true,
  request: true,
  upload: true,
  computer: { screenshot: true, click: true, move: true, drag: true, scroll: true, type: true, key: true, set: true, wait: true, batch: true, open: true, tabs: true, choose: true, dialog: true },
  options: { screenshot: true, click: true, move: true, drag: true, scroll: true, type: true, key: true, set: true, wait: true, batch: true, open: true, tabs: true, choose: true, dialog: true },
  limits: true,
};
`;

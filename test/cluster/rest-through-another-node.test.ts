/**
 * Repeats the tests of the REST API and of its client through a node that runs no session. The owner behind
 * it answers.
 */
import { after, suite } from 'node:test';

const SUITES = [
  'service/http/sessions-api',
  'service/sessions/session-control',
  'service/auth/users',
  'service/http/tabs-api',
  'service/http/files',
  'service/create/create-parameters',
  'service/create/lenient-requests',
  'service/create/field-masking-rules',
  'service/create/random-requests',
  'service/http/embed-page',
  'api/client',
];

process.env['THROUGH_ANOTHER_NODE'] = '1';
after(() => delete process.env['THROUGH_ANOTHER_NODE']);
for (const name of SUITES)
  suite(name, async () => {
    await import(`../unit/${name}.test.js`);
  });

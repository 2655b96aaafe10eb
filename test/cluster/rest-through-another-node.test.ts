/**
 * Repeats the tests of the REST API and of its client through a node that runs no session. The owner behind
 * it answers.
 */
import { after, suite } from 'node:test';

const SUITES = [
  'service/sessions-api',
  'service/session-control',
  'service/users',
  'service/tabs-api',
  'service/files',
  'service/create-parameters',
  'service/lenient-requests',
  'service/field-masking-rules',
  'service/random-requests',
  'service/embed-page',
  'api/client',
];

process.env['THROUGH_ANOTHER_NODE'] = '1';
after(() => delete process.env['THROUGH_ANOTHER_NODE']);
for (const name of SUITES)
  suite(name, async () => {
    await import(`../unit/${name}.test.js`);
  });

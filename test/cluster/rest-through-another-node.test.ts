/**
 * The tests of the REST API and of its client, once more: asked of a node that runs no session, and answered by the one behind it.
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
  'service/any-customer',
  'service/embed-page',
  'api/client',
];

process.env['THROUGH_ANOTHER_NODE'] = '1';
after(() => delete process.env['THROUGH_ANOTHER_NODE']);
for (const name of SUITES)
  suite(name, async () => {
    await import(`../unit/${name}.test.js`);
  });

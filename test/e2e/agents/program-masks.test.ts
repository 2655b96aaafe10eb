import assert from 'node:assert/strict';
import { OTHER_READS, READS, SECRET, WRITES } from '../support/mask-ways.js';
import { RawProgram } from '../support/raw-program.js';
import { connectClient } from '../support/sdk-client.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SIZE = { width: 800, height: 400 };
const MASK = { matches: ['http://127.0.0.1/*', '*://localhost/*'], selectors: ['.secret'] };
const FILL = `
  byId('plain').value = byId('kept').value = ${JSON.stringify(SECRET)};
  byId('rich').textContent = trees[0].firstChild.value = trees[1].firstChild.value = ${JSON.stringify(SECRET)};
  localStorage.setItem('saved', ${JSON.stringify(SECRET)});
  byId('plain').focus()`;
/** Activity of the page that shows the secret to everybody who reads its requests and its console. */
const SHOW = `fetch('/nowhere', { method: 'POST', body: byId('plain').value });
  console.dir(byId('plain')); history.replaceState(0, '', '#moved')`;

// Proves: field_masking
test('a program without the role reaches no masked field over the DevTools protocol @main', async ({
  show,
  pages,
}) => {
  const frame = pages.page('masked-frame');
  const { remote: page, session } = await show('masked', {
    ...SIZE,
    automation: true,
    field_masking: [MASK],
  });
  await page.fills(SIZE);
  const foreign = JSON.stringify(frame.url.replace('127.0.0.1', 'localhost'));
  await page.run(`addFrame('inner', ${foreign}, 200)`);
  await frame.loaded();
  await frame.run(`field.value = ${JSON.stringify(SECRET)}`);
  await page.run(FILL);
  const fields = async () =>
    `${String(await page.run('JSON.stringify(fields())'))} ${String(await frame.run('field.value'))}`;
  const before = await fields();
  const program = await RawProgram.attached(session.cdp_url);
  await until('the frame has a session', () => program.sessionOf(({ type }) => type === 'iframe'));
  for (const domain of ['Page', 'Runtime', 'Network', 'DOM', 'Log']) await program.send(`${domain}.enable`);

  const open: string[] = [];
  const ways = { ...READS, ...OTHER_READS, ...WRITES };
  for (const [name, way] of Object.entries(ways)) {
    const { error, result } = await way(program);
    // A script ends with an exception.
    const exception = JSON.stringify(result?.['exceptionDetails'] ?? '');
    if (error === undefined && !exception.includes('role field_masking')) open.push(name);
  }
  assert.deepEqual(open, [], 'ways that were not refused');
  await page.run(SHOW);
  await until('the page has moved', () => program.texts.some((text) => text.includes('#moved')));
  const read = program.texts.filter((text) => text.includes(SECRET));
  // The program's own search has the word.
  assert.deepEqual(read, []);
  assert.equal(await fields(), before);
  note(
    `${Object.keys(READS).length + Object.keys(OTHER_READS).length} ways to read, ${Object.keys(WRITES).length} to write`,
  );

  const admin = await connectClient(session, session.admin_token);
  const agent = (await admin.users.list()).find(({ kind }) => kind === 'agent');
  await admin.users.addRoles([agent?.id ?? ''], ['field_masking']);
  for (const [name, way] of Object.entries(READS)) {
    const answer = JSON.stringify(await way(program));
    assert.ok(answer.includes(SECRET), `with the role, ${name} reads the field: ${answer.slice(0, 300)}`);
  }
});

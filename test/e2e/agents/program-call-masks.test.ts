import assert from 'node:assert/strict';
import { decodeStill } from '../../support/decode-still.js';
import type { HostedPage } from '../support/hosted-page.js';
import {
  CALL_WAYS,
  COPY_WAYS,
  FREE,
  type CallStep,
  type CallWay,
  type NodeOf,
} from '../support/masked-call-ways.js';
import { SECRET } from '../support/mask-ways.js';
import { httpCaller, mcpCaller, type ProgramCaller } from '../support/program-caller.js';
import { connectClient } from '../support/sdk-client.js';
import type { Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';

test.describe.configure({ retries: 0 });
cleanUpAtEnd();
const SIZE = { width: 800, height: 400 };
const MASK = { matches: ['http://127.0.0.1/*', '*://localhost/*'], selectors: ['.secret'] };
const QUOTED = JSON.stringify(SECRET);
const FILL = `renew(); byId('plain').value = byId('kept').value = ${QUOTED};
  byId('rich').textContent = trees[0].firstChild.value = trees[1].firstChild.value = ${QUOTED}`;
/** Positions in masked fields. */
const MASKED = [
  [100, 75],
  [100, 235],
  [410, 35],
  [410, 75],
  [402, 105],
] as const;

let session: Session;
let page: HostedPage;
let frame: HostedPage;
let callers: ProgramCaller[];

test.beforeAll(async ({ service, pages }) => {
  page = pages.page('masked');
  frame = pages.page('masked-frame');
  session = await service.create({
    ...{ ...SIZE, start_url: page.url, automation: true, field_masking: [MASK] },
  });
  await page.fills(SIZE);
  await page.run(`addFrame('inner', ${JSON.stringify(frame.url.replace('127.0.0.1', 'localhost'))}, 200)`);
  await frame.loaded();
  callers = [httpCaller(session), await mcpCaller(session)];
});

const fields = async (): Promise<Record<string, unknown>> => ({
  ...(JSON.parse(String(await page.run('JSON.stringify(fields())'))) as object),
  frame: await frame.run('field.value'),
});

async function renew(): Promise<void> {
  await frame.run(`field.value = ${QUOTED}; field.blur()`);
  await page.run(FILL);
}

/** Returns the reference of a node in the text that a program reads. */
async function refOf(caller: ProgramCaller, { role, number }: NodeOf): Promise<string> {
  const { text } = await caller.call('accessibility');
  const lines = text.replaceAll('\\n', '\n').split('\n');
  const line = lines.filter((one) => one.includes(`- ${role} `))[number];
  return /\[ref=(e\d+)\]/.exec(line ?? '')?.[1] ?? assert.fail(`no ${role} ${number} in ${text}`);
}

/** Performs the steps of a way. Returns everything that the program has read. */
async function perform(caller: ProgramCaller, steps: readonly CallStep[]): Promise<string> {
  const read: string[] = [];
  for (const step of steps) {
    if (typeof step === 'string') await page.run(step);
    else {
      const [method, more, node] = step;
      const ref = node && (await refOf(caller, node));
      read.push((await caller.call(method, { ...more, ...(ref && { ref }) })).text);
    }
  }
  return read.join('\n');
}

/** Resolves when all earlier input of a program is processed. */
async function through(caller: ProgramCaller): Promise<void> {
  const mark = `m${Math.random()}`.slice(0, 8);
  await caller.call('key', { key: 'Escape' });
  await until('the mark is in the free field', async () => {
    await caller.call('type', { ...FREE, text: mark, replace: true });
    return String(await page.run(`byId('free').value`)).includes(mark);
  });
}

/** Tries a way on fresh fields. Returns true if the field of the way has changed; no other one may change. */
async function changes(caller: ProgramCaller, name: string, { field, steps }: CallWay): Promise<boolean> {
  await renew();
  const { [field]: old, ...othersBefore } = await fields();
  const read = await perform(caller, steps);
  await through(caller);
  const { [field]: value, ...others } = await fields();
  assert.deepEqual(others, othersBefore, name);
  assert.doesNotMatch(read, new RegExp(SECRET), name);
  return value !== old;
}

const possible = (caller: ProgramCaller, steps: readonly CallStep[]) =>
  steps.every((step) => typeof step === 'string' || caller.has(step[0]));

for (const index of [0, 1])
  // Proves: field_masking
  test(`a program without the role changes and reads no masked field over ${index === 0 ? 'HTTP' : 'MCP'}`, async () => {
    test.setTimeout(240_000);
    const caller = callers[index] ?? assert.fail();
    const leaks: string[] = [];
    let tried = 0;
    for (const [name, way] of Object.entries(CALL_WAYS)) {
      if (!possible(caller, way.steps)) continue;
      tried += 1;
      if (await changes(caller, name, way)) leaks.push(name);
    }
    for (const [name, steps] of Object.entries(COPY_WAYS)) {
      if (!possible(caller, steps)) continue;
      tried += 1;
      await renew();
      await perform(caller, steps);
      if (String(await page.run(`byId('free').value`)).includes(SECRET)) leaks.push(`copies ${name}`);
    }
    for (const url of [
      `javascript:document.title=byId('plain').value`,
      `view-source:${page.url}`,
      'about:blank#x',
    ].slice(0, 2)) {
      tried += 1;
      const { refused } = await caller.call('open', { url });
      if (!refused) leaks.push(`opens ${url}`);
    }
    await renew();
    const { text } = await caller.call('accessibility');
    if (text.includes(SECRET)) leaks.push('the text of the page');
    const { image } = await caller.call('screenshot', { format: 'png' });
    const still = await decodeStill(image ?? assert.fail('There is no picture.'), 'png');
    for (const [x, y] of MASKED)
      if (still.at(x, y).some((value) => value >= 20)) leaks.push(`a picture of ${x},${y}`);
    note(`${caller.kind}: ${tried + 2} ways`);
    assert.deepEqual(leaks, []);
  });

// Proves: field_masking; role field_masking
test('a program with the role changes masked fields in each of these ways', async () => {
  test.setTimeout(240_000);
  const caller = callers[0] ?? assert.fail();
  await caller.call('tabs');
  const admin = await connectClient(session, session.admin_token);
  const agent = (await admin.users.list()).find(({ kind }) => kind === 'agent');
  await admin.users.addRoles([agent?.id ?? ''], ['field_masking']);
  const certain = Object.entries(CALL_WAYS).filter(([, { uncertain }]) => !uncertain);
  for (const [name, { field, steps }] of certain)
    await until(
      `${name} changes the field`,
      async () => {
        await renew();
        const before = (await fields())[field];
        await perform(caller, steps);
        await through(caller);
        return (await fields())[field] !== before;
      },
      20_000,
    );
});

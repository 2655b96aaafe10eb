import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { PassingTime } from '../../../fakes/passing-time.js';
import { RelayedProgram } from '../../../fakes/relayed-program.js';

const METHOD = 'Emulation.setEmulatedMedia';
const scheme = (value: string) => ({ name: 'prefers-color-scheme', value });
/** The rest of the features that Playwright sets for each page. */
const OTHERS = [
  { name: 'prefers-reduced-motion', value: 'no-preference' },
  { name: 'forced-colors', value: 'none' },
  { name: 'prefers-contrast', value: '' },
];
const playwright = (value: string) => ({ media: '', features: [scheme(value), ...OTHERS] });

async function opened(dark: boolean): Promise<RelayedProgram> {
  const program = new RelayedProgram();
  program.dark = dark;
  await program.connect();
  await program.attach('A', 'https://example.com/');
  return program;
}

/** Sends a command. Returns the schemes that the browser received. */
async function schemes(program: RelayedProgram, params: object): Promise<unknown> {
  await program.ask({ id: 1, method: METHOD, params, sessionId: 'A' });
  const { params: sent } = program.sentTo('A').findLast(({ method }) => method === METHOD) ?? assert.fail();
  return (sent['features'] as ReturnType<typeof scheme>[]).filter(({ name }) => /scheme/.test(name));
}

let time: PassingTime;
beforeEach(() => (time = new PassingTime()));
afterEach(() => time.restore());

describe('the pages of a dark session', () => {
  it('stay dark when Playwright connects', async () => {
    assert.deepEqual(await schemes(await opened(true), playwright('light')), [scheme('')]);
  });

  it('get the scheme that a program sets afterwards', async () => {
    const program = await opened(true);
    await schemes(program, playwright('light'));
    assert.deepEqual(await schemes(program, playwright('light')), [scheme('light')]);
  });

  it('get the scheme that a program sets alone', async () => {
    assert.deepEqual(await schemes(await opened(true), { features: [scheme('light')] }), [scheme('light')]);
  });

  it('stay dark for a program without the role control', async () => {
    const program = await opened(true);
    program.mayAct = false;
    for (const params of [playwright('light'), playwright('light'), { features: [scheme('light')] }])
      assert.deepEqual(await schemes(program, params), [scheme('')]);
  });
});

it('the pages of another session get the scheme of Playwright', async () => {
  assert.deepEqual(await schemes(await opened(false), playwright('light')), [scheme('light')]);
});

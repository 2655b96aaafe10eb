import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Copy } from './copy.js';
import type { Proof } from './guard.js';

/** A test with two services takes a minute on a busy machine. */
const LIMIT_MS = 300_000;

/** Builds the service of a copy. The rest of the copy stays unchanged. */
export async function buildService({ directory }: Copy): Promise<void> {
  const vite = join(directory, 'node_modules/vite/bin/vite.js');
  const { code, output } = await run(directory, [vite, 'build', '--config', 'vite.server.config.ts']);
  if (code !== 0) throw new Error(`The service does not build.\n${output}`);
}

/** Resolves to true if a test exists and fails as expected without its guard. */
export async function fails({ directory }: Copy, { file, title, says }: Proof): Promise<boolean> {
  const exact = title.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const { code, output } = file.startsWith('test/e2e/')
    ? await run(directory, [
        ...[join(directory, 'node_modules/@playwright/test/cli.js'), 'test', file, '--grep', `${exact}$`],
        ...['--project=parallel', '--no-deps', '--retries=0', '--reporter=list', '--max-failures=1'],
      ])
    : await run(directory, [
        '--import',
        'tsx',
        '--test',
        '--test-reporter=tap',
        `--test-name-pattern=^${exact}$`,
        file,
      ]);
  const seen = file.startsWith('test/e2e/')
    ? /^\s+1 failed$/m.test(output)
    : output.split('\n').some((line) => /^ *not ok /.test(line) && line.endsWith(` - ${title}`));
  const failed = code !== 0 && seen && output.includes(says ?? '');
  if (!failed) console.log(output.split('\n').slice(-30).join('\n'));
  return failed;
}

async function run(cwd: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, output };
}

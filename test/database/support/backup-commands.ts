import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const GUIDE = new URL('../../../docs/operating.md', import.meta.url);

/** Runs the commands that follow a comment in docs/operating.md, as an operator does in a shell. */
export async function runDocumented(
  comment: string,
  directory: string,
  environment: Record<string, string>,
): Promise<void> {
  const guide = await readFile(GUIDE, 'utf8');
  const [, commands] = new RegExp(`<!-- ${comment} -->\\s+\`\`\`\\n([^]*?)\`\`\``).exec(guide) ?? [];
  if (!commands) throw new Error(`docs/operating.md does not say how to ${comment}.`);
  const env = { PATH: process.env['PATH'], ...environment };
  await run('sh', ['-e', '-c', commands], { cwd: directory, env });
}

import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A tool installed for packaging, by the path of its program. */
export const tool = (path: string): string => `${ROOT}packaging/node_modules/${path}`;

const execute = promisify(execFile);

/** Runs a Node program. Rejects with its output if it fails. */
export const node = (args: readonly string[], cwd = ROOT): Promise<string> =>
  run(process.execPath, args, cwd);

/** Runs a program. Rejects with its output if it fails. */
export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const output = execute(command, args, { cwd, encoding: 'utf8', maxBuffer: 1e8 });
  const { stdout } = await output.catch((error: unknown) => {
    throw new Error(told(error), { cause: error });
  });
  return stdout;
}

function told(error: unknown): string {
  const { stdout = '', stderr = '' } =
    error instanceof Error ? (error as { stdout?: string; stderr?: string }) : {};
  return `${stdout}${stderr}` || String(error);
}

/** Unpacks a tarball. Resolves to the paths of its files, without folders. */
export function unpack(tarball: string, folder: string): string[] {
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  return execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && !path.endsWith('/'))
    .map((path) => path.replace(/^package\//, ''));
}

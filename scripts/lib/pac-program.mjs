import { join } from 'node:path';
import { build } from 'vite';
import { completeLicenses } from './complete-licenses.mjs';
import { ROOT } from './paths.mjs';

/**
 * Bundles the program of the threads that run customers' proxy scripts into one text. The process that starts
 * them may not be able to read the source files.
 *
 * @returns {Promise<{ program: string, licenses: string }>}
 */
export async function bundlePacProgram() {
  const built = await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: 'warn',
    build: {
      ssr: join(ROOT, 'server/src/egress/pac/pac-program.ts'),
      write: false,
      target: 'node20',
      minify: false,
      reportCompressedSize: false,
      license: { fileName: 'licenses.md' },
      rolldownOptions: { output: { format: 'cjs' } },
    },
    ssr: { noExternal: true },
  });
  const files = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const chunks = files.filter((file) => file.type === 'chunk');
  const licenses = files.find((file) => file.type === 'asset' && file.fileName === 'licenses.md');
  if (chunks.length !== 1 || chunks[0] === undefined || licenses?.type !== 'asset')
    throw new Error(
      `The program of proxy scripts is not one file: ${files.map(({ fileName }) => fileName).join(', ')}`,
    );
  return { program: chunks[0].code, licenses: completeLicenses(String(licenses.source)) };
}

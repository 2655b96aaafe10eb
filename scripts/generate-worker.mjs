/** Bundles the decode worker into a string, so that the SDK is one file for every bundler and every server. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const target = `${root}src/media/decode-worker.generated.ts`;

const bundles = await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'warn',
  build: {
    write: false,
    target: 'es2022',
    minify: true,
    lib: { entry: 'src/media/decode-worker.ts', formats: ['iife'], name: 'decodeWorker' },
  },
});
const code = [bundles].flat()[0].output[0].code.trim();
const source = `/** Made by scripts/generate-worker.mjs from decode-worker.ts. */
export const DECODE_WORKER_SOURCE: string = ${JSON.stringify(code)};
`;

// An unchanged file keeps its date: whoever watches the sources is not woken up.
if (!existsSync(target) || readFileSync(target, 'utf8') !== source) writeFileSync(target, source);

/** Builds the SDK, the service and the demo. Does nothing if no source changed since the last build. */
import { readdirSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isBuilt, markBuilt, sourcesDigest } from './lib/build-stamp.mjs';
import { inRoot, ROOT, TOOLS } from './lib/paths.mjs';
import { main, runNode, ScriptError } from './lib/run.mjs';
import { setup } from './setup.mjs';

/** Type-check projects of the published code. `npm run verify` checks the demo and the tests. */
export const PROJECTS = ['src/protocol', 'src/core', 'src/api', 'src', 'server'];

/** Files without which a build is not complete. */
const OUTPUTS = [
  'dist/protocol/index.js',
  'dist/index.js',
  'server/dist/pages/element-script/element.js',
  'server/dist/pages/replay-script/replay.js',
  'server/dist/pages/embed-script/embed.js',
  'server/dist/cli.js',
  'server/dist/host/main.js',
  'server/dist/egress/main.js',
  'server/dist/recordings/thumbnails/main.js',
  'server/dist/egress/pac-program.cjs',
  'server/dist/browser-extensions/bridge/worker.js',
  'server/dist/browser-extensions/focus/frame.js',
];

async function step(name, args) {
  const { code, output } = await runNode(args, { collect: true });
  if (code !== 0) throw new ScriptError(`${output}\nThe build stopped at: ${name}.`);
}

/**
 * Returns the Vite configurations of the repository: vite.*.config.ts and vite.config.ts. Each one is a
 * build.
 */
const viteConfigs = () => readdirSync(ROOT).filter((name) => /^vite(\.\w+)?\.config\.\w+$/.test(name));

/** Brings every output up to date. */
export async function build() {
  const digest = sourcesDigest();
  if (isBuilt(digest, OUTPUTS)) return;
  const started = Date.now();
  console.log('Building …');
  await step('compile TypeScript', [TOOLS.tsc, '-b', ...PROJECTS]);
  // All bundles share this directory, so no bundle empties it itself.
  rmSync(inRoot('server/dist'), { recursive: true, force: true });
  await Promise.all(
    viteConfigs().map((config) =>
      step(`bundle (${config})`, [TOOLS.vite, 'build', '--config', config, '--logLevel', 'warn']),
    ),
  );
  markBuilt(digest);
  console.log(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await setup();
    await build();
  });
}

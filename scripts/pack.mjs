/** Packs the SDK and the service for publication into `.build/packages`, and prints the files. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { inRoot } from './lib/paths.mjs';
import { main, run, ScriptError } from './lib/run.mjs';
import { setup } from './setup.mjs';

const FOLDER = inRoot('.build/packages');

/** Packs a finished build. Returns the paths of the two tarballs. */
export async function pack() {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const workspace of [[], ['--workspace', 'server']]) await npmPack(workspace);
  const [sdk, server] = ['cloud-browser-0', 'cloud-browser-server-0'].map((start) =>
    readdirSync(FOLDER).find((name) => name.startsWith(start)),
  );
  if (!sdk || !server) throw new ScriptError('npm packed something else than the SDK and the service.');
  await changeReadme(`${FOLDER}/${sdk}`);
  return { sdk: `${FOLDER}/${sdk}`, server: `${FOLDER}/${server}` };
}

async function npmPack(args, cwd) {
  const { code, output } = await run(
    'npm',
    ['pack', '--ignore-scripts', '--pack-destination', FOLDER, ...args],
    {
      collect: true,
      cwd,
    },
  );
  if (code !== 0) throw new ScriptError(`${output}\nnpm could not pack.`);
}

/** Replaces the README of the package. npm packs the repository's README, but the SDK has one of its own. */
async function changeReadme(tarball) {
  execFileSync('tar', ['-xzf', tarball, '-C', FOLDER]);
  copyFileSync(inRoot('packaging/sdk-readme.md'), `${FOLDER}/package/README.md`);
  await npmPack([], `${FOLDER}/package`);
  rmSync(`${FOLDER}/package`, { recursive: true });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await setup();
    await build();
    for (const file of Object.values(await pack())) console.log(file);
  });
}

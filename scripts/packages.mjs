/**
 * The long form of the package tests: installs the tarballs as strangers do, into fresh projects outside of the repository. Each
 * framework's project has its example, is type-checked with the libraries' types, and built; the service is started by npx in an
 * empty directory and makes a session. Takes minutes, and the npm registry. Names of projects as arguments choose some.
 */
import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { inRoot } from './lib/paths.mjs';
import { main, run, ScriptError } from './lib/run.mjs';
import { pack } from './pack.mjs';
import { setup } from './setup.mjs';

const { dependencies, devDependencies } = JSON.parse(readFileSync(inRoot('examples/package.json'), 'utf8'));
const VERSIONS = { ...dependencies, ...devDependencies };
const COMMON = ['vite', 'typescript', '@types/node'];
const REACT = ['react', 'react-dom', '@types/react', '@types/react-dom', '@vitejs/plugin-react'];

/** What each project installs beside the SDK, and its type-check. */
const PROJECTS = {
  vanilla: { packages: [], check: ['tsc', '--noEmit'] },
  react: { packages: REACT, check: ['tsc', '--noEmit'], plugin: ['react', '@vitejs/plugin-react'] },
  vue: {
    packages: ['vue', '@vitejs/plugin-vue', 'vue-tsc'],
    check: ['vue-tsc', '--noEmit'],
    plugin: ['vue', '@vitejs/plugin-vue'],
  },
  svelte: {
    packages: ['svelte', '@sveltejs/vite-plugin-svelte', 'svelte-check'],
    check: ['svelte-check', '--tsconfig', './tsconfig.json', '--fail-on-warnings'],
    plugin: ['{ svelte }', '@sveltejs/vite-plugin-svelte'],
  },
  'server-rendering': {
    packages: REACT,
    check: ['tsc', '--noEmit'],
    plugin: ['react', '@vitejs/plugin-react'],
  },
};
/** Vue takes other tags for components of its own. */
const PLUGIN_OPTIONS = {
  vue: "{ template: { compilerOptions: { isCustomElement: (tag: string) => tag === 'cloud-browser' } } }",
};

async function step(what, command, args, cwd) {
  const { code, output } = await run(command, args, { collect: true, cwd });
  if (code !== 0) throw new ScriptError(`${output}\nIt stopped at: ${what}.`);
  console.log(`  ✓ ${what}`);
}

function writeProject(folder, name, sdk) {
  const { packages, plugin } = PROJECTS[name];
  const versions = [...COMMON, ...packages].map((each) => [each, VERSIONS[each]]);
  const manifest = {
    name: `fresh-${name}`,
    private: true,
    type: 'module',
    dependencies: { 'cloud-browser': `file:${sdk}`, ...Object.fromEntries(versions) },
  };
  const imported = plugin ? `import ${plugin[0]} from '${plugin[1]}';\n` : '';
  const called = plugin ? `${plugin[0].replace(/[{} ]/g, '')}(${PLUGIN_OPTIONS[name] ?? ''})` : '';
  const input = `build: { rolldownOptions: { input: '${name}/index.html' } }`;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  writeFileSync(
    join(folder, 'vite.config.ts'),
    `${imported}import { defineConfig } from 'vite';\n\nexport default defineConfig({ plugins: [${called}], ${input} });\n`,
  );
  for (const part of [name, 'shared', 'tsconfig.json', ...(name === 'svelte' ? ['svelte.config.js'] : [])])
    cpSync(inRoot('examples', part), join(folder, part), { recursive: true });
  // The examples' one extends that of all.
  rmSync(join(folder, name, 'tsconfig.json'), { force: true });
}

async function tryProject(folder, name, sdk) {
  mkdirSync(folder);
  writeProject(folder, name, sdk);
  await step(`${name}: installed`, 'npm', ['install', '--no-fund', '--no-audit'], folder);
  await step(
    `${name}: types are right, those of libraries too`,
    'npx',
    ['--no-install', ...PROJECTS[name].check],
    folder,
  );
  await step(`${name}: built`, 'npx', ['--no-install', 'vite', 'build', '--logLevel', 'warn'], folder);
}

/** Starts the service by npx and asks it for a session. */
async function tryService(folder, server) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await step('service: installed', 'npm', ['install', '--no-fund', '--no-audit', server], folder);
  const env = {
    ...process.env,
    PORT: '0',
    API_KEYS: 'fresh',
    DRAIN_SECONDS: '0',
    STATE_DIR: join(folder, 'state'),
    RUNTIME_DIR: join(folder, 'run'),
  };
  const child = spawn('npx', ['--no-install', 'cloud-browser'], { cwd: folder, env, detached: true });
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    const url = await new Promise((resolve, reject) => {
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text) => {
          said += text;
          const [, found] = /ready: (http:\/\/[^\s/]+)/.exec(said) ?? [];
          if (found) resolve(found);
        });
      child.once('close', () => reject(new ScriptError(`${said}\nThe service ended at once.`)));
    });
    const headers = { authorization: 'Bearer fresh' };
    const body = JSON.stringify({ start_url: 'about:blank' });
    for (const [path, request] of Object.entries({
      '/v0/vm': { method: 'POST', headers, body },
      '/mobile': {},
      '/element.js': {},
    })) {
      const { status } = await fetch(url + path, request);
      if (status !== 200) throw new ScriptError(`The service answered ${status} to ${path}.`);
      console.log(`  ✓ service: ${path}`);
    }
  } finally {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

await main(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => name !== 'service' && !(name in PROJECTS));
  if (unknown.length > 0)
    throw new ScriptError(
      `There is no project ${unknown.join(', ')}, but ${[...Object.keys(PROJECTS), 'service'].join(', ')}.`,
    );
  const isWanted = (name) => wanted.length === 0 || wanted.includes(name);
  await setup();
  await build();
  const { sdk, server } = await pack();
  const place = mkdtempSync(join(tmpdir(), 'cloud-browser-fresh-'));
  // The users of sessions must be able to enter.
  chmodSync(place, 0o711);
  try {
    for (const name of Object.keys(PROJECTS))
      if (isWanted(name)) await tryProject(join(place, name), name, sdk);
    if (isWanted('service')) await tryService(join(place, 'service'), server);
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
});

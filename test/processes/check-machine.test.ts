import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SERVICE_PACKAGES } from '../../scripts/lib/debian-packages.mjs';
import { NEEDED_FILES } from '../../server/src/host/needed-parts.js';

/** The built program. */
const cli = fileURLToPath(new URL('../../server/dist/cli.js', import.meta.url));
const codec = createRequire(cli).resolve(`@seydx/node-av-${process.platform}-${process.arch}/node-av.node`);
/** A mount namespace. Users other than root create it within a user namespace. */
const OWN_MOUNTS = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-current-user', '--mount'];

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'cloud-browser-check-test-'));
  await chmod(base, 0o711);
});
afterEach(() => rm(base, { recursive: true, force: true }));

/** Runs the command after a line of shell, in separate namespaces. */
async function run(namespaces: readonly string[], before: string, args: readonly string[]) {
  const script = `${before}\nexec "$0" "$@"`;
  const command = ['unshare', ...namespaces, '--', 'sh', '-ec', script, process.execPath, cli, ...args];
  const [program = '', ...rest] = command;
  const child = spawn(program, rest, {
    cwd: '/',
    env: {
      PATH: process.env['PATH'],
      HOME: base,
      PORT: '0',
      API_KEYS: 'k',
      STATE_DIR: join(base, 'state'),
      RUNTIME_DIR: join(base, 'run'),
      SESSION_UID_BASE: '1768000',
    },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (data) => (output += String(data)));
  child.stderr.on('data', (data) => (errors += String(data)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, errors };
}

/** Replaces a file with an empty one that cannot be executed or loaded. */
const hide = (path: string) => `mount --bind /dev/null '${path}'`;
/** Replaces a folder with an empty one. */
const empty = (path: string) => `mount -t tmpfs none '${path}'`;

const HIDDEN = {
  Chromium: [
    hide('/usr/lib/chromium/chromium'),
    /^Chromium is missing: install the Debian package chromium /,
  ],
  'the codec library': [
    empty(dirname(codec)),
    /^The codec library is missing: install the npm package @seydx\//,
  ],
  Xorg: [
    empty('/usr/lib/xorg'),
    /^Xorg is missing: .* xserver-xorg-core .*\nThe dummy driver of Xorg is missing: /,
  ],
  bubblewrap: [hide('/usr/bin/bwrap'), /^bubblewrap is missing: install the Debian package bubblewrap /],
} as const;

describe('cloud-browser --check', () => {
  it('starts one session, reports success and cleans up', async () => {
    const { code, output, errors } = await run(['--mount', '--propagation', 'unchanged'], ':', ['--check']);
    assert.equal(errors, '');
    assert.equal(code, 0);
    assert.match(output, /^Sessions start on this machine: one started in [\d.]+ s\.\n$/);
    assert.deepEqual(readdirSync(base), []);
  });

  it('starts its session inside RUNTIME_DIR if it can create no directory beside it', async () => {
    const closed =
      'mkdir "$HOME/run"; mount --bind "$HOME" "$HOME"; mount --bind "$HOME/run" "$HOME/run"; ' +
      'mount -o remount,ro,bind "$HOME"';
    const { code, errors } = await run(OWN_MOUNTS, closed, ['--check']);
    assert.equal(errors, '');
    assert.equal(code, 0);
    assert.deepEqual(readdirSync(join(base, 'run')), []);
  });

  for (const [part, [before, sentence]] of Object.entries(HIDDEN))
    it(`reports that ${part} is missing`, async () => {
      const { code, output, errors } = await run(OWN_MOUNTS, before, ['--check']);
      assert.match(errors, sentence);
      // One line for each part.
      assert.equal(errors.split('\n').length - 1, part === 'Xorg' ? 2 : 1, errors);
      assert.deepEqual([code, output], [1, '']);
    });

  it('reports that user namespaces are missing', async () => {
    const none = 'echo 0 > /proc/sys/user/max_user_namespaces';
    const { code, errors } = await run(['--user', '--map-root-user'], none, ['--check']);
    assert.match(errors, /^User namespaces are not available \(unshare: .*\): set the sysctls .*\n$/);
    assert.equal(code, 1);
  });

  it('reports why a session does not start although all parts are present', async () => {
    const program = `printf '#!/bin/sh\\necho the display is gone >&2\\nexit 3\\n' > "$HOME/xorg"; chmod 755 "$HOME/xorg"`;
    const broken = `${program}; mount --bind "$HOME/xorg" /usr/lib/xorg/Xorg`;
    const { code, errors } = await run(OWN_MOUNTS, broken, ['--check']);
    assert.match(errors, /^No session starts on this machine: Xorg .*the display is gone/s);
    assert.equal(code, 1);
  });

  it('looks for everything that the service installs, except fonts', () => {
    const installed = SERVICE_PACKAGES.map(({ name }) => name).filter((name) => !name.startsWith('fonts-'));
    assert.deepEqual(NEEDED_FILES.map((file) => file.package).sort(), installed.sort());
    for (const { path } of NEEDED_FILES) assert.ok(existsSync(path), path);
  });
});

describe('a service on a machine with a missing part', () => {
  it('does not start, and reports the missing part', async () => {
    const { code, errors } = await run(OWN_MOUNTS, empty('/usr/lib/xorg'), []);
    assert.match(errors, /^Xorg is missing: /);
    assert.equal(code, 1);
  });
});

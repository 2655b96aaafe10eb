import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { BIN } from './syscall.mjs';

/** Devices in the /dev of a bubblewrap sandbox. */
const DEVICES = 'console core fd full null ptmx pts random shm stderr stdin stdout tty urandom zero'.split(
  ' ',
);
/** Directories of a system's programs. */
const PROGRAMS = [
  ...['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/games', '/usr/libexec', '/usr/src', '/usr/include'],
  ...[
    '/usr/local/bin',
    '/usr/local/sbin',
    '/usr/local/lib',
    '/usr/lib/git-core',
    '/usr/lib/gcc',
    '/opt',
    '/snap',
  ],
];
/** Programs that a browser needs: its own, and the loader of libraries. */
const NEEDED = /^\/usr\/(lib\/chromium\/|lib64\/ld-|share\/pixmaps\/)/;
/** Directories in which a browser may write. */
const WRITABLE = [
  '/tmp',
  '/dev/shm',
  '/home/browser',
  '/home/browser/profile',
  '/run',
  '/run/session',
  '/run/extensions',
  '/run/extensions/bridge',
  '/home',
  '/dev',
];
/** Files with the machine's name servers and users. */
const NETWORK = [
  'resolv.conf',
  'hosts',
  'nsswitch.conf',
  'gai.conf',
  'host.conf',
  'network',
  'networks',
  'services',
];
/** Files about the kernel's command line, its modules and the hardware. */
const KERNEL = [
  'cmdline',
  'config.gz',
  'modules',
  'kallsyms',
  'keys',
  'key-users',
  'partitions',
  'diskstats',
  'bus',
  'driver',
];
/** Places in which it may write: its home, and its own files in memory. */
const NOT_ITS_OWN = [
  ...[
    '/',
    '/usr',
    '/usr/lib/chromium',
    '/etc',
    '/etc/chromium',
    '/etc/chromium/policies/managed',
    '/etc/ssl',
  ],
  ...['/var', '/var/cache/fontconfig', '/run/session/sound', '/tmp/.X11-unix', '/sys', '/boot'],
];

/** Its home, and its own files in memory. */
const ITS_OWN =
  /^\/(proc|dev|tmp|run|home)(\/(shm|pts|mqueue|null|zero|full|random|urandom|tty|console|browser|extensions))?$/;

/** Returns those of the paths that can be read. */
function readable(paths) {
  return paths
    .filter((path) => {
      try {
        if (lstatSync(path).isDirectory()) readdirSync(path);
        else readFileSync(path);
        return true;
      } catch {
        return false;
      }
    })
    .join(' ');
}

/** Returns the paths that could be written. Removes what it wrote. */
function written(paths) {
  return paths
    .filter((path) => {
      try {
        writeFileSync(path, 'probe', { flag: 'wx' });
        rmSync(path);
        return true;
      } catch {
        return false;
      }
    })
    .join(' ');
}

/** Returns every path below a directory. Does not follow links. */
function below(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? [path, ...below(path)] : [path];
  });
}

export const FILES = {
  'reads keys and records of the service': ({ serviceFiles }) => readable(serviceFiles),
  'reads files of another session': ({ neighbourFiles }) => readable(neighbourFiles),
  'reads files of its own session that are not its home': ({ ownFiles }) => readable(ownFiles),
  'reads files of the machine and its users': ({ machineFiles }) => readable(machineFiles),
  'reads through the root of a process that it sees': ({ machineFiles }) =>
    readable(
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((pid) => machineFiles.map((path) => `/proc/${pid}/root${path}`)),
    ),
  'writes where it should only read': () => written(NOT_ITS_OWN.map((path) => join(path, 'probe'))),
  // An owner may forget to protect a file. So every mount must refuse writes, whatever the file's mode is.
  'sees the system mounted to be written': () =>
    readFileSync('/proc/self/mountinfo', 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .filter(([, , , , place, flags]) => !ITS_OWN.test(place) && flags.split(',').includes('rw'))
      .map(([, , , , place]) => place)
      .join(' '),
  'changes its policies': () => {
    writeFileSync('/etc/chromium/policies/managed/session.json', '{}');
    return 'written';
  },
  'changes extensions that other sessions share': () =>
    below('/run/extensions')
      .filter((path) => {
        try {
          writeFileSync(path, readFileSync(path));
          return true;
        } catch {
          return false;
        }
      })
      .join(' '),
  'finds a device besides the harmless ones': () =>
    readdirSync('/dev')
      .filter((name) => !DEVICES.includes(name))
      .join(' '),
  'has descriptors besides its own pipes': () => {
    const lines = readFileSync('/home/browser/descriptors', 'utf8').trim().split('\n');
    // The descriptors of this program itself are no finding.
    const own = /^\d+ (\/proc\/|\/home\/browser)/;
    return lines
      .filter((line) => !own.test(line) && !/^[0-4] (pipe|socket|\/dev\/null)/.test(line))
      .join(', ');
  },
  'has a secret or a path of the machine in its environment': ({ secrets, directory }) => {
    const text = readFileSync('/proc/self/environ', 'utf8');
    return [...secrets, directory].filter((secret) => text.includes(secret)).join(' ');
  },
  'sees a secret in a command line': ({ secrets }) =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return secrets.some((secret) => text.includes(secret));
      })
      .join(' '),
  'can have its memory written to disk': () => {
    const limit = /^Max core file size\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return limit === '0' || limit === '1' ? '' : `core files of ${limit} bytes`;
  },
  'finds programs that were installed besides': () =>
    ['/usr/local', '/usr/share', '/usr/lib']
      .flatMap((directory) =>
        existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [],
      )
      .flatMap((path) => ['bin', 'sbin', 'libexec'].map((name) => join(path, name)))
      .filter((path) => existsSync(path) && !NEEDED.test(path))
      .join(' '),
  'starts a program where it may write': () =>
    WRITABLE.filter((directory) => {
      const path = join(directory, 'probe-program');
      try {
        copyFileSync(`${BIN}/true`, path);
        chmodSync(path, 0o755);
        return spawnSync(path).status === 0 || spawnSync('/lib64/ld-linux-x86-64.so.2', [path]).status === 0;
      } catch {
        return false;
      } finally {
        rmSync(path, { force: true });
      }
    }).join(' '),
  'reads which name servers and hosts the machine knows': () =>
    readable(NETWORK.map((name) => `/etc/${name}`)),
  'reads how the kernel was started and what it has': () =>
    KERNEL.map((name) => `/proc/${name}`)
      .filter((path) => {
        try {
          return lstatSync(path).isDirectory() ? readdirSync(path).length > 0 : readFileSync(path).length > 0;
        } catch {
          return false;
        }
      })
      .join(' '),
  'learns from a process where the service keeps sessions': ({ directory }) =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) =>
        ['cmdline', 'environ', 'cwd', 'exe', 'root', 'maps'].filter((name) => {
          const path = `/proc/${pid}/${name}`;
          try {
            const text = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'utf8');
            return text.includes(directory);
          } catch {
            return false;
          }
        }),
      )
      .join(' '),
  'finds programs to start': () =>
    PROGRAMS.flatMap((directory) => {
      try {
        return readdirSync(directory).map((name) => join(directory, name));
      } catch {
        return [];
      }
    }).join(' '),
};

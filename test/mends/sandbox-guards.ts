import { tried, triedWithoutRoot, type Guard } from './guard.js';

const SYSTEM = 'server/src/host/sandbox/system.ts';
const ROOM = 'server/src/host/sandbox/bubblewrap.ts';
const VIEW = 'server/src/host/sandbox/browser-view.ts';
const SOUND = 'server/src/host/audio/sound-card.ts';
const SOUND_TEST = 'test/unit/host/audio/sound-card.test.ts';
const ISOLATION = 'test/e2e/sandbox/isolation.test.ts';

const NO_NETWORK_NAMESPACE = {
  file: 'server/src/host/sandbox/own-network.ts',
  search: ', `--net=/proc/self/fd/${network}`',
  replace: '',
};

/** Guards that confine a browser after a break-out. */
export const SANDBOX_GUARDS: readonly Guard[] = [
  {
    name: 'the seccomp filter of system calls',
    edits: [{ file: SYSTEM, search: "...['--seccomp', String(filter)],", replace: '' }],
    proofs: [tried("reads a key of the service's keyring"), tried('traces the first process of the sandbox')],
  },
  {
    name: 'its own process namespace',
    edits: [{ file: SYSTEM, search: "'--unshare-pid', ", replace: '' }],
    proofs: [tried('sees processes outside')],
  },
  {
    name: 'its own host name',
    edits: [
      { file: SYSTEM, search: ", '--unshare-uts'", replace: '' },
      { file: SYSTEM, search: "'--hostname', 'browser', ", replace: '' },
    ],
    proofs: [tried('learns the name of the machine')],
  },
  {
    name: 'its own /tmp',
    edits: [
      {
        file: SYSTEM,
        search: "['/tmp', '/run', '/home']",
        replace: "['--bind', '/tmp', '/tmp'], ...['/run', '/home']",
      },
    ],
    proofs: [
      { file: 'test/e2e/sandbox/sandbox.test.ts', title: 'leaves nothing behind that others can see' },
    ],
  },
  {
    name: 'its own /run',
    edits: [
      {
        file: SYSTEM,
        search: 'temporary(path, TEMPORARY_BYTES))',
        // The whole directory would hide the mounts of the session in it.
        replace:
          "temporary(path, TEMPORARY_BYTES)), '--ro-bind-try', '/run/cloud-browser', '/run/cloud-browser'",
      },
    ],
    proofs: [tried('finds the locks of the service')],
  },
  {
    name: 'its own devices',
    edits: [{ file: SYSTEM, search: "'--dev', '/dev'", replace: "'--dev-bind', '/dev', '/dev'" }],
    proofs: [tried('finds a device besides the harmless ones')],
  },
  {
    name: 'a read-only root',
    edits: [{ file: ROOM, search: "['/run', '/home', '/']", replace: "['/run', '/home']" }],
    proofs: [tried('writes where it should only read')],
  },
  {
    name: 'a read-only system',
    edits: [
      {
        file: SYSTEM,
        search: "args.push('--ro-bind-try', path, path);",
        replace: "args.push('--bind-try', path, path);",
      },
    ],
    proofs: [tried('sees the system mounted to be written')],
  },
  {
    name: 'no files of the machine',
    edits: [
      { file: SYSTEM, search: "  '/etc/fonts',", replace: "  '/etc/fonts',\n  '/etc/passwd',\n  '/opt'," },
    ],
    proofs: [tried('reads files of the machine and its users')],
  },
  {
    name: 'no programs',
    edits: [{ file: VIEW, search: "'/usr/lib64',", replace: "'/usr/lib64', '/usr/bin'," }],
    proofs: [tried('finds programs to start')],
  },
  {
    name: 'read-only policies',
    edits: [{ file: ROOM, search: "'--ro-bind', room.policies", replace: "'--bind', room.policies" }],
    proofs: [tried('changes its policies')],
  },
  {
    name: 'read-only shared extensions',
    edits: [
      {
        file: ROOM,
        search: "Object.entries(room.readOnly ?? {})) args.push('--ro-bind'",
        replace: "Object.entries(room.readOnly ?? {})) args.push('--bind'",
      },
    ],
    proofs: [triedWithoutRoot('changes extensions that other sessions share')],
  },
  {
    name: 'its own shared memory, without root',
    edits: [
      { file: ROOM, search: "room.sharesIpc ? [] : ['--unshare-ipc']", replace: 'room.sharesIpc ? [] : []' },
    ],
    proofs: [triedWithoutRoot('shares memory with the machine')],
  },
  {
    name: 'its own shared memory, as root',
    edits: [
      {
        file: 'server/src/pool/host/host-command.ts',
        search: "['unshare', '--ipc', '--']",
        replace: "['unshare', '--uts', '--']",
      },
    ],
    proofs: [tried('shares memory with the machine')],
  },
  {
    name: 'no network descriptors',
    edits: [
      {
        file: 'server/src/host/sandbox/own-network.ts',
        search: 'const shed = `exec ${user}>&- ${network}>&-; exec "$@"`;',
        replace: 'const shed = `exec "$@"`;',
      },
    ],
    proofs: [tried('has descriptors besides its own pipes')],
  },
  {
    name: 'its own network namespace, checked at the start',
    edits: [NO_NETWORK_NAMESPACE],
    proofs: [
      {
        ...tried('connects to a port of the machine'),
        says: 'Hosted pages could reach this machine',
      },
    ],
  },
  {
    name: 'its own network namespace, without the check at the start',
    edits: [
      NO_NETWORK_NAMESPACE,
      {
        file: 'server/src/startup/checks/egress-proof.ts',
        search: 'if (connections > 0 || !/err_egress_refused: service/.test(answer))',
        replace: 'if (connections < 0)',
      },
      {
        file: 'server/src/host/browser/launch/policies.ts',
        search: "ProxyMode: 'fixed_servers',",
        replace: "ProxyMode: 'direct',",
      },
    ],
    proofs: [
      tried('connects to a port of the machine'),
      tried('connects to a name in the abstract namespace of sockets'),
    ],
  },
  {
    name: 'no network for the display and the sound server',
    edits: [{ file: 'server/src/host/sandbox/helper-sandbox.ts', search: "'--unshare-net',", replace: '' }],
    proofs: [
      {
        file: 'test/e2e/sandbox/egress.test.ts',
        title: 'the display, window manager and sound server of a browser have no network',
      },
    ],
  },
  {
    name: 'no core files',
    edits: [
      {
        file: 'server/src/platform/process/guarded-command.ts',
        search: "'--core=1:1'",
        replace: "'--core=unlimited'",
      },
    ],
    proofs: [tried('can have its memory written to disk')],
  },
  {
    name: 'a display with a cookie',
    edits: [
      { file: 'server/src/host/display/x-server.ts', search: ", '-auth', authorityFile]", replace: ']' },
    ],
    proofs: [tried('shows itself on its own display without the cookie')],
  },
  {
    name: 'a sound server that cannot load modules',
    edits: [
      { file: SOUND, search: '--disallow-module-loading=yes', replace: '--disallow-module-loading=no' },
    ],
    proofs: [
      { file: SOUND_TEST, title: 'cannot load a module, which could write files and open ports' },
      tried('loads a module into its sound server'),
    ],
  },
  {
    name: 'a sound server that clients cannot end',
    edits: [{ file: SOUND, search: '--disallow-exit=yes', replace: '--disallow-exit=no' }],
    proofs: [{ file: SOUND_TEST, title: 'cannot end the server' }, tried('ends its sound server')],
  },
  {
    name: 'no start page on a command line',
    edits: [
      {
        file: 'server/src/host/browser/launch/arguments.ts',
        search: "args.push(restoresAtStart(session) ? '--restore-last-session' : '--no-startup-window');",
        replace: 'args.push(session.startUrl);',
      },
    ],
    proofs: [
      {
        file: 'test/e2e/sandbox/sandbox.test.ts',
        title: 'does not expose its start page in a command line',
      },
    ],
  },
  {
    name: 'a separate user for each session',
    edits: [
      {
        file: 'server/src/host/sandbox/privileges.ts',
        search: '  becomeUser(place.uid, place.gid);',
        replace: '  void becomeUser;',
      },
    ],
    proofs: [{ file: ISOLATION, title: 'runs as its own user, including its host' }],
  },
];

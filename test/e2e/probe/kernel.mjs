import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { BIN, perl, syscall } from './syscall.mjs';

const SESSION_KEYRING = -3;
const MS_REMOUNT_BIND = 0x20 | 0x1000;
/** Files of the kernel that would change more than the sandbox. */
const SWITCHES = ['/proc/sysrq-trigger', '/proc/sys/kernel/core_pattern', '/proc/sys/vm/drop_caches'];

/** Runs a command as root of its own namespaces, as an attacker who broke out can do. */
function asOwnRoot(script) {
  const args = ['--user', '--map-root-user', '--mount', `${BIN}/sh`, '-c', script];
  const { stdout } = spawnSync(`${BIN}/unshare`, args, {
    encoding: 'utf8',
    env: { PATH: BIN },
  });
  return stdout.trim();
}

export const KERNEL = {
  'mounts something': () => (syscall('mount', 'none', '/tmp', 'tmpfs', 0, 0) === 0 ? 'mounted' : ''),
  'makes the system writable': () =>
    syscall('mount', 'none', '/usr', 'none', MS_REMOUNT_BIND, 0) === 0 ? 'remounted' : '',
  'makes the system writable as root of its own namespace': () =>
    asOwnRoot('mount -o remount,bind,rw /usr && touch /usr/probe && echo written'),
  'uncovers what lies below its empty directories': () =>
    asOwnRoot(
      'for at in /tmp /home /run /etc/chromium/policies/managed; do umount -l $at && ls -A $at; done 2>/dev/null',
    ),
  'changes the kernel': () =>
    SWITCHES.filter((path) => {
      try {
        writeFileSync(path, '\n');
        return true;
      } catch {
        return false;
      }
    }).join(' '),
  'finds the devices and drivers of the machine': () => (existsSync('/sys/class') ? '/sys' : ''),
  'learns the name of the machine': ({ hostName }) => (hostname() === hostName ? hostName : ''),
  "reads a key of the service's keyring": ({ keyName }) => {
    const id = syscall('request_key', 'user', keyName, 0, SESSION_KEYRING);
    return id > 0 ? `key ${id}` : '';
  },
  'shares memory with the machine': ({ memoryKey }) =>
    Number(perl(`my $id = shmget(${memoryKey}, 1, 0); print defined $id ? $id : -1;`)) >= 0 ? 'attached' : '',
  'types into a terminal': () =>
    // TIOCSTI, ioctl_tty(2).
    perl(`my $n = 0; my $c = "x"; for (0..2) { open(my $f, "+<&=", $_) or next; $n++ if ioctl($f, 0x5412, $c); }
      $n++ if open(my $t, "+<", "/dev/tty"); print $n;`) !== '0'
      ? 'typed'
      : '',
};

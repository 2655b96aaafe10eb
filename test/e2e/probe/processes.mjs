import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { syscall } from './syscall.mjs';

const PTRACE_ATTACH = 16;
/**
 * Programs in a browser's sandbox: the sandbox's first process, the browser, and this probe with its
 * children.
 */
const INSIDE = /(^|\/)(bwrap|chromium|chrome_crashpad_handler|node|sh|perl)(\s|$)/;

const pids = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name));
const commandOf = (pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');

/** Process ids are counted separately inside, so the same number may mean another process. */
function isOutside({ pid, command }) {
  return !existsSync(`/proc/${pid}`) || commandOf(pid).startsWith(command);
}

/** Sends signal 0. It has no effect, and is allowed if other signals are. */
function mayBeSignalled({ pid }) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export const PROCESSES = {
  'sees processes outside': () =>
    pids()
      .map(commandOf)
      .filter((command) => !INSIDE.test(command) || /cli\.js|host\/main\.js/.test(command))
      .join('; '),
  'signals processes outside': ({ outside }) =>
    outside
      .filter(isOutside)
      .filter(mayBeSignalled)
      .map(({ command }) => command)
      .join('; '),
  'traces processes outside': ({ outside }) =>
    outside
      .filter(isOutside)
      .filter(({ pid }) => syscall('ptrace', PTRACE_ATTACH, pid, 0, 0) >= 0)
      .map(({ command }) => command)
      .join('; '),
  'traces the first process of the sandbox': () =>
    syscall('ptrace', PTRACE_ATTACH, 1, 0, 0) >= 0 ? 'attached to 1' : '',
  'can gain privileges': () => {
    const status = readFileSync('/proc/self/status', 'utf8');
    const field = (name) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1];
    const capabilities = ['CapInh', 'CapPrm', 'CapEff', 'CapAmb'].filter((name) => !/^0+$/.test(field(name)));
    return [...(field('NoNewPrivs') === '1' ? [] : ['no_new_privs is off']), ...capabilities].join(' ');
  },
};

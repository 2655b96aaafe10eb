import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Parts of the system that the browser reads: its own files, libraries with their modules, fonts, icons,
 * keyboards, languages, time zones and certificates. Its sandbox contains nothing else of `/usr`, in
 * particular no programs. Otherwise the browser would start xdg-open for an address such as `mailto:`, and
 * xdg-open would start other browsers. And an attacker who breaks out of the browser would find shells and
 * compilers.
 */
const READ = [
  '/usr/lib/chromium',
  '/usr/lib/locale',
  '/usr/lib64',
  ...[
    ...['X11', 'alsa', 'ca-certificates', 'chromium', 'color', 'drirc.d', 'fontconfig', 'fonts', 'glib-2.0'],
    ...['glvnd', 'gtk-3.0', 'gtk-4.0', 'hunspell', 'hyphen', 'icons', 'libdrm', 'locale', 'mime', 'p11-kit'],
    ...['pixmaps', 'poppler', 'texmf', 'themes', 'vulkan', 'zoneinfo'],
  ].map((name) => `/usr/share/${name}`),
  ...['/usr/local/share/ca-certificates', '/usr/local/share/fonts'],
  ...['/etc/fonts', '/etc/ssl/certs', '/etc/alternatives', '/etc/ld.so.cache', '/etc/localtime'],
  '/var/cache/fontconfig',
];
/** Directories of libraries, one for each processor architecture of Debian. */
const LIBRARIES = '/usr/lib';
const TRIPLET = /^[a-z0-9_]+-linux-gnu[a-z0-9_]*$/;

/**
 * Files of `/proc` that describe the machine and that the browser does not read. Each is replaced by a device
 * that cannot be opened, or by an empty directory.
 */
const KERNEL_FILES = [
  ...[
    'cmdline',
    'config.gz',
    'crypto',
    'diskstats',
    'iomem',
    'ioports',
    'kallsyms',
    'kcore',
    'key-users',
    'keys',
  ],
  ...['kmsg', 'kpagecount', 'kpageflags', 'latency_stats', 'mdstat', 'modules', 'partitions', 'sched_debug'],
  ...['slabinfo', 'swaps', 'sysrq-trigger', 'timer_list', 'vmallocinfo'],
];
const KERNEL_DIRECTORIES = ['acpi', 'asound', 'bus', 'driver', 'fs', 'scsi'];

/**
 * Returns bubblewrap's arguments that mount the needed parts of the system read-only, and that hide the files
 * of `/proc` above.
 */
export function browserView(): string[] {
  const libraries = readdirSync(LIBRARIES).filter((name) => TRIPLET.test(name));
  const args: string[] = [];
  for (const path of [...libraries.map((name) => join(LIBRARIES, name)), ...READ])
    args.push('--ro-bind-try', path, path);
  // These mounts must follow the mount of `/proc` itself.
  for (const name of KERNEL_FILES)
    if (existsSync(`/proc/${name}`)) args.push('--ro-bind', '/dev/null', `/proc/${name}`);
  for (const name of KERNEL_DIRECTORIES)
    if (isDirectory(`/proc/${name}`)) args.push('--tmpfs', `/proc/${name}`, '--remount-ro', `/proc/${name}`);
  return args;
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

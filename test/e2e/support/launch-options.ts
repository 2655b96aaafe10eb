import type { LaunchOptions } from '@playwright/test';

/**
 * Debian's Chromium without windows of its own: the same engine, for half the processor time that the whole
 * browser takes from the sessions beside it. As root it needs `--no-sandbox`, which only ever opens this
 * project's own pages.
 */
export const LAUNCH_OPTIONS: LaunchOptions = {
  executablePath: '/usr/lib/chromium/chromium-headless-shell',
  chromiumSandbox: process.getuid?.() !== 0,
  args: [
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--password-store=basic',
    '--no-first-run',
    // Hosted browsers have this flag too, so that pictures can be compared.
    '--disable-lcd-text',
    '--force-device-scale-factor=1',
  ],
};

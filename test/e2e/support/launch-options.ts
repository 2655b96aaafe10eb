import type { LaunchOptions } from '@playwright/test';

/**
 * Debian's Chromium without windows. It has the same engine and needs half of the processor time, which
 * leaves more for the sessions. For root, its sandbox is off. It opens only pages of this project.
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

import { ACCESSIBILITY_GUARDS } from './accessibility-guards.js';
import { BROWSER_GUARDS } from './browser-guards.js';
import { FILE_GUARDS } from './file-guards.js';
import type { Guard } from './guard.js';
import { SANDBOX_GUARDS } from './sandbox-guards.js';
import { SERVICE_GUARDS } from './service-guards.js';

/** All guards. Each is removed once. */
export const GUARDS: readonly Guard[] = [
  ...SANDBOX_GUARDS,
  ...BROWSER_GUARDS,
  ...FILE_GUARDS,
  ...ACCESSIBILITY_GUARDS,
  ...SERVICE_GUARDS,
];

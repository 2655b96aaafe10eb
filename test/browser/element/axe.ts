import 'axe-core';
import type { run } from 'axe-core';

/**
 * The accessibility checker axe. Its package is a script, not a module, and stores itself in a global
 * variable.
 */
export default (globalThis as unknown as { axe: { run: typeof run } }).axe;

import 'axe-core';
import type { run } from 'axe-core';

/** The package is a script, not a module: it leaves itself in a global. */
export default (globalThis as unknown as { axe: { run: typeof run } }).axe;

/** Bundles the program of the threads that run customers' proxy scripts, and the licenses of its packages. */
export function bundlePacProgram(): Promise<{ program: string; licenses: string }>;

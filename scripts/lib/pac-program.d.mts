/** Bundles the program of the threads that run customers' proxy scripts, and the licenses of what is in it. */
export function bundlePacProgram(): Promise<{ program: string; licenses: string }>;

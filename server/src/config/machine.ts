import { homedir, hostname, networkInterfaces, tmpdir } from 'node:os';
import { machineSize, memoryLimit, type MachineSize } from '../platform/process/machine-resources.js';

/** Facts about a machine, from which the defaults of variables are computed. */
export interface Machine extends MachineSize {
  uid: number;
  home: string;
  name: string;
  /** Address that other machines can reach. Undefined if there is none. */
  address: string | undefined;
  temporary: string;
}

/** Returns the facts about this machine. */
export function thisMachine(): Machine {
  return {
    uid: process.getuid?.() ?? -1,
    ...machineSize(),
    // All sessions share the memory limit of the service, for example the limit of its container.
    memoryBytes: memoryLimit(),
    home: homeDirectory(),
    name: hostname(),
    address: outwardAddress(),
    temporary: tmpdir(),
  };
}

/**
 * Returns the user's home directory. A user without a name, for example in a container, may have none. Then
 * the directory is `/`, as container engines set it.
 */
export function homeDirectory(read = homedir): string {
  try {
    return read();
  } catch {
    return '/';
  }
}

function outwardAddress(): string | undefined {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}

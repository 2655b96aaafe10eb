/** Limits of one session. They are the same for all sessions of a service. */
export interface SessionLimits {
  /** Memory of all its programs together, in bytes. */
  memoryBytes: number;
  /** Processes and threads together. The kernel counts both in the same way. */
  processes: number;
  /** Processor weight relative to other sessions and programs, 1 to 10000. The kernel's default is 100. */
  cpuWeight: number;
  /** Data of its browser on the disk: profile, caches and downloads. Bytes. */
  diskBytes: number;
  /** Size of one file that users upload or download, and of all of them together. Bytes. */
  fileBytes: number;
  filesBytes: number;
  /** Open pages, including popups and windows. */
  tabs: number;
  /** Viewers that are connected at the same time. */
  viewers: number;
}

/**
 * Files, sockets and pipes that one program of a session may have open. Chromium itself requests this number
 * where it may.
 */
export const DESCRIPTORS = 8_192;

/**
 * Factor by which the kernel's limits are higher than the service's. When a session exceeds a limit, the
 * service chooses the process to end, a page before its browser. At the kernel's limit, the next request for
 * the resource fails, whichever process makes it.
 */
const KERNEL_LIMIT_FACTOR = 1.25;

/** Returns the kernel's limit for a limit that the service watches. */
export function wall(limit: number): number {
  return Math.ceil(limit * KERNEL_LIMIT_FACTOR);
}

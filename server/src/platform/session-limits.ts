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
  /** Maximum size of one uploaded or downloaded file, and of all these files together. Bytes. */
  fileBytes: number;
  filesBytes: number;
  /** Open pages, including popups and windows. */
  tabs: number;
  /** Viewers that are connected at the same time. */
  viewers: number;
  /** Seconds without use after which a session with `standby` is frozen. */
  standbySeconds: number;
}

/**
 * Maximum number of open files, sockets and pipes of one program. Chromium itself requests this number if it
 * is allowed to.
 */
export const DESCRIPTORS = 8_192;

/**
 * Factor by which the kernel's limits are higher than the service's limits. If a session exceeds the
 * service's limit, its host can end a page instead of the whole browser. At the kernel's limit, any process
 * of the session may fail.
 */
const KERNEL_LIMIT_FACTOR = 1.25;

/** Returns the kernel's limit for a limit of the service. */
export function wall(limit: number): number {
  return Math.ceil(limit * KERNEL_LIMIT_FACTOR);
}

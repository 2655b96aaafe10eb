/** What one session may use at most. The same for all sessions of a service. */
export interface SessionLimits {
  /** Memory of all its programs together, in bytes. */
  memoryBytes: number;
  /** Its processes and their threads: the kernel counts both alike. */
  processes: number;
  /** Its share of the processor beside other sessions and programs, 1 to 10000; the kernel's usual one is 100. */
  cpuWeight: number;
  /** What its browser keeps on the disk: profile, caches and downloads. Bytes. */
  diskBytes: number;
  /** One file that people send or fetch, and all of them together. Bytes. */
  fileBytes: number;
  filesBytes: number;
  /** Pages that are open at once, popups and windows too. */
  tabs: number;
  /** Connections that watch at once. */
  viewers: number;
}

/** Files, sockets and pipes that one program of a session has open: what Chromium itself asks for where it may. */
export const DESCRIPTORS = 8_192;

/**
 * The kernel's own walls stand so much behind the limits: who goes beyond a limit is chosen by us, a page before its browser, and who
 * hits a wall is whoever asks next.
 */
const WALL_DISTANCE = 1.25;

/** Where the kernel refuses more, for a limit that we watch. */
export function wall(limit: number): number {
  return Math.ceil(limit * WALL_DISTANCE);
}

/** A Debian package, and a file by which it is known to be there. */
export interface DebianPackage {
  name: string;
  file: string;
}

export const SERVICE_PACKAGES: readonly DebianPackage[];
export const TEST_PACKAGES: readonly DebianPackage[];
export const BENCH_PACKAGES: readonly DebianPackage[];
export const CLUSTER_PACKAGES: readonly DebianPackage[];

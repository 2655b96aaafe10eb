/** A Debian package, and a file that shows that it is installed. */
export interface DebianPackage {
  name: string;
  file: string;
}

export const SERVICE_PACKAGES: readonly DebianPackage[];
export const SHORT_TEST_PACKAGES: readonly DebianPackage[];
export const TEST_PACKAGES: readonly DebianPackage[];
export const BENCH_PACKAGES: readonly DebianPackage[];
export const CLUSTER_PACKAGES: readonly DebianPackage[];

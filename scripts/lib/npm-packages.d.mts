/** The part of a lockfile that lists the packages with their versions and paths. */
export interface Lockfile {
  packages: Record<string, { version?: string; link?: boolean; optional?: boolean; devOptional?: boolean }>;
}

export function isInstalled(
  wanted: Lockfile,
  installed: Lockfile,
  exists: (path: string) => boolean,
): boolean;
export function installNpmPackages(folder?: string): Promise<void>;

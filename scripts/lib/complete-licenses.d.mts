/** A package in a list of licences. `identifier` and `text` are empty if the list has none. */
export interface ListedLicense {
  name: string;
  version: string;
  identifier: string;
  text: string;
}

/** Returns the packages of a list of licences, in its order. */
export function listedLicenses(list: string): ListedLicense[];

/**
 * Returns a list in which each package has an identifier and a text. Throws if one is missing and unknown.
 */
export function completeLicenses(list: string): string;

/** Returns the list of licences of the ad blocker's rules. `version` is that of `@adguard/dnr-rulesets`. */
export function ruleLicenses(version: string): string;

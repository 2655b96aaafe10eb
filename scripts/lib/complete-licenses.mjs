import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';

const licenseText = (name) => readFileSync(inRoot(`scripts/licenses/${name}.txt`), 'utf8').trim();
const mit = (holder) => () => `${holder}\n\n${licenseText('MIT')}`;
/** The packages of the AWS SDK that have no licence file of their own. */
const aws = { identifier: 'Apache-2.0', text: () => licenseText('Apache-2.0') };

/**
 * Packages without a licence file, or without an SPDX identifier that bundlers read. The holders are those
 * that the package names in its README or as its author.
 *
 * @type {Record<string, { identifier: string, text?: () => string }>}
 */
const KNOWN = {
  '@aws-sdk/credential-provider-http': aws,
  '@aws-sdk/credential-provider-login': aws,
  '@aws-sdk/nested-clients': aws,
  'abstract-logging': { identifier: 'MIT', text: mit('Copyright (c) James Sumners') },
  'pg-types': { identifier: 'MIT', text: mit('Copyright (c) 2014 Brian M. Carlson') },
  pgpass: { identifier: 'MIT', text: mit('Copyright (c) 2013-2016 Hannes Hörl') },
  'quickjs-wasi': {
    identifier: 'MIT',
    text: mit(
      [
        'Copyright (c) the authors of quickjs-wasi (https://github.com/vercel-labs/quickjs-wasi)',
        '',
        'The engine in `quickjs.wasm` is quickjs-ng:',
        '',
        'Copyright (c) 2017-2026 Fabrice Bellard',
        'Copyright (c) 2017-2024 Charlie Gordon',
        'Copyright (c) 2023-2026 Ben Noordhuis',
        'Copyright (c) 2023-2026 Saúl Ibarra Corretgé',
      ].join('\n'),
    ),
  },
  x11: { identifier: 'MIT' },
};

/**
 * Heading of a package in a list of licences, as Vite writes it. Headings inside a licence's text have no
 * version.
 */
const HEADING = /^## (\S+) - (\d+\.\S+)(?: \(([^\n]+)\))?$/gm;

/**
 * Returns the packages of a list of licences, in its order.
 *
 * @param {string} list
 * @returns {{ name: string, version: string, identifier: string, text: string }[]}
 */
export function listedLicenses(list) {
  const headings = [...list.matchAll(HEADING)];
  return headings.map((heading, index) => ({
    name: heading[1] ?? '',
    version: heading[2] ?? '',
    identifier: heading[3] ?? '',
    text: list.slice(heading.index + heading[0].length, headings[index + 1]?.index ?? list.length).trim(),
  }));
}

const section = ({ name, version, identifier, text }) =>
  `\n## ${name} - ${version} (${identifier})\n\n${text}\n`;

/**
 * Returns a list of licences in which each package has an identifier and a text.
 *
 * @param {string} list as Vite writes it
 * @throws if a package has no identifier or text of its own, and no entry here
 */
export function completeLicenses(list) {
  const packages = listedLicenses(list);
  const start = packages[0] ? list.indexOf(`\n## ${packages[0].name} - `) : list.length;
  const whole = packages.map(({ name, version, identifier, text }) => ({
    name,
    version,
    identifier: identifier || (KNOWN[name]?.identifier ?? ''),
    text: text || (KNOWN[name]?.text?.() ?? ''),
  }));
  for (const { name, identifier, text } of whole)
    if (!identifier || !text)
      throw new Error(
        `The package ${name} has no ${identifier ? 'text' : 'identifier'} of its licence. Add it to scripts/lib/complete-licenses.mjs.`,
      );
  return list.slice(0, start) + whole.map(section).join('');
}

/**
 * Returns the list of licences of the ad blocker's rules. They are data, so no bundle contains them.
 *
 * @param {string} version of `@adguard/dnr-rulesets`
 */
export function ruleLicenses(version) {
  const rules = {
    name: '@adguard/dnr-rulesets',
    version,
    identifier: 'GPL-3.0-only',
    text: licenseText('GPL-3.0-only'),
  };
  return `# Licenses

The rules of the ad blocker, in the folder \`rules\`, are made of this package. The build of
cloud-browser changes them: it joins rules that differ in their domain alone, numbers them anew, and leaves out comments and
rules that need files of the package. The unchanged rules are in the package of this name and version in the npm registry.
${section(rules)}`;
}

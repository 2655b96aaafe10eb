/** Writes a report of the public API for each entry of the SDK: `api/NAME.api.md`, in the repository. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

/** Entries of the package by the names of their reports. */
const ENTRIES = {
  ...{ index: 'index', element: 'element/define', replay: 'replay/define' },
  ...{ api: 'api/index', protocol: 'protocol/index' },
};

/** Turns off other checks of api-extractor, such as release tags. This project does not use them. */
const QUIET = { default: { logLevel: 'none' } };

function configure(root, name, entry) {
  const folder = join(root, 'packaging/api');
  const temporary = join(root, '.build/api-report');
  mkdirSync(temporary, { recursive: true });
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, `dist/${entry}.d.ts`),
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            module: 'nodenext',
            target: 'es2022',
            lib: ['es2023', 'dom'],
            strict: true,
            skipLibCheck: true,
            types: [],
          },
        },
      },
      apiReport: { enabled: true, reportFileName: name, reportFolder: folder, reportTempFolder: temporary },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: QUIET,
        extractorMessageReporting: QUIET,
        tsdocMessageReporting: QUIET,
      },
    },
  });
}

/**
 * Compares the reports with the public API. With `update`, writes them. Returns the paths of those that
 * differ.
 */
export function compareReports(root, { update = false } = {}) {
  return Object.entries(ENTRIES)
    .filter(
      ([name, entry]) =>
        Extractor.invoke(configure(root, name, entry), {
          localBuild: update,
          messageCallback: (message) => {
            message.handled = !message.logLevel.includes('error');
          },
        }).apiReportChanged,
    )
    .map(([name]) => `packaging/api/${name}.api.md`);
}

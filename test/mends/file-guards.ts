import type { Guard } from './guard.js';

const DOWNLOADS_TEST = 'test/unit/host/files/downloads.test.ts';

/** Guards that restrict files to users with the role, and keep untrusted names from the server's files. */
export const FILE_GUARDS: readonly Guard[] = [
  {
    name: 'only users with the role can download',
    edits: [
      {
        file: 'server/src/host/features/files/file-calls.ts',
        search: "const mayFetch = forRole('file_download');",
        replace: 'const mayFetch = () => void forRole;',
      },
    ],
    proofs: [
      {
        file: 'test/e2e/sandbox/hands-of-strangers.test.ts',
        title: 'receives no copied content and no files',
      },
    ],
  },
  {
    name: 'the role is checked again during a transfer',
    edits: [
      {
        file: 'server/src/host/features/files/file-access.ts',
        search: 'return canUse({ admin: admin || this.admin(), shutOut, rights }, this.role);',
        replace: 'return !shutOut || rights.roles.size >= 0;',
      },
    ],
    proofs: [
      {
        file: DOWNLOADS_TEST,
        title: 'a ticket is refused after its user has lost the role, and when it is invented',
      },
    ],
  },
  {
    name: 'file names cannot lead out of the directory',
    edits: [
      {
        file: 'server/src/host/features/files/file-names.ts',
        search: "const kept = last.replace(NEVER, '_').trim();",
        replace: 'const kept = last && NEVER ? name : name;',
      },
    ],
    proofs: [
      { file: 'test/unit/host/files/file-names.test.ts', title: 'no name leads to another directory' },
    ],
  },
  {
    name: 'downloads are not opened through links',
    edits: [
      {
        file: 'server/src/host/features/files/downloads/downloads.ts',
        search: 'const file = await openInside(this.place, path);',
        replace:
          "const file = await (await import('node:fs/promises')).open(`${openInside && this.place}/${path}`).catch(() => undefined);",
      },
    ],
    proofs: [
      {
        file: DOWNLOADS_TEST,
        title: 'a link that a hostile browser puts in place of a download is not followed',
      },
    ],
  },
];

import { MAX_FILES, type FileChooser } from '../../protocol/index.js';
import type { LocalFile } from '../../core/index.js';

/**
 * Maximum number of files to read from dropped folders. This is one file more than the session accepts per
 * upload. So the session refuses a larger folder, and the user learns that not all files arrived.
 */
const MAX_READ = MAX_FILES + 1;

/**
 * Opens the local file chooser with the options of the page's request. Browsers open the chooser only within
 * some seconds after a user gesture. Otherwise they do nothing.
 *
 * @param place parent element of the hidden input
 * @param onChosen called with the chosen files, or with an empty array if the user closed the chooser without
 *   a choice
 * @returns a function that removes the hidden input
 */
export function openLocalChooser(
  { multiple, directory, accept }: FileChooser,
  place: Element,
  onChosen: (files: File[]) => void,
): () => void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = multiple;
  input.accept = accept;
  input.webkitdirectory = directory;
  input.hidden = true;
  input.addEventListener('change', () => onChosen([...(input.files ?? [])]));
  input.addEventListener('cancel', () => onChosen([]));
  place.append(input);
  input.click();
  return () => input.remove();
}

/** Dropped files, and the names of dropped files and folders that cannot be read. */
export interface DroppedFiles {
  readonly files: readonly LocalFile[];
  readonly unreadable: readonly string[];
}

/**
 * Returns the dropped files, including the files in dropped folders. Never rejects.
 *
 * @param plain files of the drop, used when there are no folders
 */
export async function droppedFiles(
  entries: readonly (FileSystemEntry | null)[],
  plain: readonly File[],
): Promise<DroppedFiles> {
  return entries.some((entry) => entry?.isDirectory) ? walk(entries) : { files: plain, unreadable: [] };
}

async function walk(entries: readonly (FileSystemEntry | null)[]): Promise<DroppedFiles> {
  const files: LocalFile[] = [];
  const unreadable: string[] = [];
  const waiting = entries.filter((entry) => entry !== null);
  for (let entry = waiting.shift(); entry && files.length < MAX_READ; entry = waiting.shift()) {
    try {
      if (isFile(entry)) files.push(await fileOf(entry));
      else if (isFolder(entry)) waiting.push(...(await contentOf(entry)));
    } catch {
      unreadable.push(entry.name);
    }
  }
  return { files, unreadable };
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

async function fileOf(entry: FileSystemFileEntry): Promise<LocalFile> {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
  const { name, size, lastModified } = file;
  const path = entry.fullPath.slice(1);
  return {
    ...{ name, size, lastModified },
    // A file that was dropped directly has no folder.
    ...(path.includes('/') && { webkitRelativePath: path }),
    slice: (start, end) => file.slice(start, end),
  };
}

/**
 * Reads the entries of a folder. Stops when it has {@link MAX_READ} entries or more. Chromium returns at
 * most one hundred entries per call of `readEntries`.
 */
async function contentOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0 || all.length >= MAX_READ) return all;
    all.push(...some);
  }
}

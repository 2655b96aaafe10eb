import { open, readFile, rename, rm, statfs } from 'node:fs/promises';
import { writeFileAtomic } from '../../platform/files/atomic-file.js';
import { listText, readFragmentList, type FragmentList } from '../fragment-list.js';
import type { LocalBlobs } from '../blobs/local-blobs.js';
import { FILE_NAMES } from '../recording-files.js';
import type { RecordingReader } from '../recording-reader.js';
import { RecordingCipher } from '../sealed/recording-cipher.js';
import { VideoIndexError } from '../boxes/boxes.js';
import { writeIndexedVideo } from './indexed-video.js';
import { PlainTarget, SealedTarget, type VideoTarget } from './video-target.js';

/** Options of {@link replaceByIndexed}. */
export interface ReplaceOptions {
  local: LocalBlobs;
  id: string;
  reader: RecordingReader;
  /** Key of encrypted recordings, 32 bytes. */
  key: Uint8Array;
  /** Bytes that must stay free on the disk, for recordings that are running. */
  spareBytes: number;
  signal: AbortSignal;
}

/**
 * Replaces the video of a complete recording by a video with an index. The new list of fragments names the
 * new file, so after a crash or an error either the old or the new video is complete. Resolves to the change
 * of the size in bytes. Resolves to 0 if the video already has an index, or if no file of the recording is on
 * this machine.
 */
export async function replaceByIndexed(options: ReplaceOptions): Promise<number> {
  const { local, id, reader, spareBytes } = options;
  const list = await reader.list();
  if (!list.live || (await local.names(id)).length === 0) return 0;
  const before = await reader.storedBytes('video');
  const { bavail, bsize } = await statfs(local.directory(id));
  if (bavail * bsize < before + spareBytes) throw new VideoIndexError('the disk has no room for a copy.');
  const path = local.path(id, FILE_NAMES.video);
  const temporary = `${path}.tmp`;
  try {
    const { written, bytes } = await writeFile(temporary, list, options);
    await rename(temporary, path);
    await writeFileAtomic(local.path(id, FILE_NAMES.fragments), listText(written));
    // An error does not matter, because the deletion of the recording also removes this file.
    await rm(local.path(id, FILE_NAMES.live), { force: true }).catch(() => undefined);
    return bytes - before;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    // Keeps the new file if the list was replaced before the error, because the list then names this file.
    const now = await readFile(local.path(id, FILE_NAMES.fragments), 'utf8').catch(() => undefined);
    if (now !== undefined && readFragmentList(now).live)
      await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function writeFile(
  path: string,
  list: FragmentList,
  { id, reader, key, signal }: ReplaceOptions,
): Promise<{ written: FragmentList; bytes: number }> {
  const file = await open(path, 'w', 0o600);
  try {
    const target = (headSize: number): VideoTarget =>
      list.sealed
        ? new SealedTarget(file, RecordingCipher.create(key, { id, name: FILE_NAMES.video }), headSize)
        : new PlainTarget(file, headSize);
    const written = await writeIndexedVideo({ reader, list, open: target, signal });
    await file.sync();
    return { written, bytes: (await file.stat()).size };
  } finally {
    await file.close();
  }
}

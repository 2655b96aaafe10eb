import { rm } from 'node:fs/promises';
import { after } from 'node:test';
import type {
  RecordingFiles,
  RecordingWriter,
} from '../../server/src/sessions/recordings/recording-ports.js';
import { recordingRoot, recordingsIn, type RecordingsOptions } from '../fakes/recording-parts.js';
import { until as waitUntil } from '../walk/deadline.js';

/** Resolves when the condition is true, or rejects after 20 seconds. */
export const until = (what: string, look: () => boolean) => waitUntil(what, 20_000, look);

/**
 * Returns a function that makes recordings in a new directory. The directories are removed after the tests of
 * the file.
 */
export function recordingsFixture() {
  const roots: string[] = [];
  after(() => Promise.all(roots.map((root) => rm(root, { recursive: true }))));
  return async (options: RecordingsOptions = {}) => {
    const root = await recordingRoot();
    roots.push(root);
    return { root, ...(await recordingsIn(root, options)) };
  };
}

/** Returns the list of writers that are created from now on. */
export function writersOf(files: RecordingFiles): RecordingWriter[] {
  const create = files.create.bind(files);
  const writers: RecordingWriter[] = [];
  files.create = async (id) => {
    const writer = await create(id);
    writers.push(writer);
    return writer;
  };
  return writers;
}

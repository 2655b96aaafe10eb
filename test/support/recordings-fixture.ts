import { rm } from 'node:fs/promises';
import { after } from 'node:test';
import type {
  RecordingFiles,
  RecordingWriter,
} from '../../server/src/sessions/recordings/recording-ports.js';
import {
  recordingRoot,
  recordingsIn,
  startRecording,
  type RecordingsOptions,
} from '../fakes/recording-parts.js';
import { until as waitUntil } from '../walk/deadline.js';

/** Resolves when the condition is true, or rejects after 20 seconds. */
export const until = (what: string, look: () => boolean) => waitUntil(what, 20_000, look);

/**
 * Returns a function that makes directories for recordings. They are removed after the tests of the file.
 */
export function rootsFixture(): () => Promise<string> {
  const roots: string[] = [];
  after(() => Promise.all(roots.map((root) => rm(root, { recursive: true }))));
  return async () => {
    const root = await recordingRoot();
    roots.push(root);
    return root;
  };
}

/**
 * Returns a function that makes recordings in a new directory. The directories are removed after the tests of
 * the file.
 */
export function recordingsFixture() {
  const newRoot = rootsFixture();
  return async (options: RecordingsOptions = {}) => {
    const root = await newRoot();
    const parts = await recordingsIn(root, options);
    /** Starts a recording of a new session. It has one fragment. */
    const begin = (name?: string, bytes?: number) => startRecording(parts.recordings, name, bytes);
    return { root, ...parts, begin };
  };
}

/** Returns the list of writers that are created from now on, each after a change by the test. */
export function writersOf(
  files: RecordingFiles,
  change: (writer: RecordingWriter) => void = () => undefined,
): RecordingWriter[] {
  const create = files.create.bind(files);
  const writers: RecordingWriter[] = [];
  files.create = async (id) => {
    const writer = await create(id);
    change(writer);
    writers.push(writer);
    return writer;
  };
  return writers;
}

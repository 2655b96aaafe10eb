import type { Readable } from 'node:stream';
import type { RecordingEnd, RecordingOrder, RecordingPart } from '../../recording-protocol.js';
import type { RecordedFragment, RecordingQuery, RecordingRecord } from './recording-record.js';

/** Index of all recordings. A saved entry is durable. */
export interface RecordingIndex {
  get(id: string): Promise<RecordingRecord | undefined>;
  /** Adds an entry or replaces the one with the same id. */
  save(record: RecordingRecord): Promise<void>;
  remove(id: string): Promise<void>;
  /** Returns the recordings of this service that are neither ready nor failed. */
  unfinished(): Promise<RecordingRecord[]>;
  /** Returns recordings after a given one, newest first. */
  page(query: RecordingQuery, after: RecordingRecord | undefined, limit: number): Promise<RecordingRecord[]>;
  /** Returns complete recordings that ended before a time, oldest first. */
  endedBefore(date: Date, limit: number): Promise<RecordingRecord[]>;
  /** Bytes of all recordings. */
  bytes(): Promise<number>;
}

/** Stored files of a recording. Chapters and playlists are computed from them. */
export type RecordingFile = 'video' | 'events';

/** Size of a recording's files and duration of its video. */
export interface RecordingSize {
  bytes: number;
  seconds: number;
}

/** Parts of a video file. */
export interface VideoParts {
  live: boolean;
  init: number;
  fragments: readonly RecordedFragment[];
}

/** Writes one recording. */
export interface RecordingWriter {
  /** Bytes and seconds that are on the disk. */
  readonly size: RecordingSize;
  /** Resolves when the part is on the disk. */
  write(part: RecordingPart): Promise<void>;
  close(): Promise<void>;
}

/** Files of recordings. */
export interface RecordingFiles {
  /** True if complete recordings are moved to another place. */
  readonly moves: boolean;
  /**
   * Moves a complete recording to its place. Resolves to false if it has no files. Rejects if the place does
   * not accept them. Safe to call again.
   */
  move(id: string): Promise<boolean>;
  create(id: string): Promise<RecordingWriter>;
  /** Removes an incomplete part at the end of a recording's files, after its service was killed. */
  repair(id: string): Promise<RecordingSize>;
  /**
   * Replaces the video of a complete recording by one with an index, so that players can seek without reading
   * all of it. Resolves to the change of its size in bytes. Rejects if that is not possible. Then the video
   * stays as it is.
   */
  index(id: string, signal: AbortSignal): Promise<number>;
  /**
   * Returns the fragments of the video, and the size of its initialisation segment. `live` is true if a
   * rewritten video, with fragments at other positions, may still replace this one.
   */
  fragments(id: string): Promise<VideoParts>;
  /** Size of a file in bytes. Undefined if it does not exist. */
  size(id: string, file: RecordingFile): Promise<number | undefined>;
  /** Reads a file from its byte `start` to its byte `end`, both included. */
  read(id: string, file: RecordingFile, start: number, end: number): Readable;
  remove(id: string): Promise<void>;
}

/** Receives a recording from a session's host. */
export interface RecordingSink {
  /** Stores a part. Resolves when the next part may follow. Never rejects. */
  part(part: RecordingPart): Promise<void>;
  /**
   * Called when no part follows.
   *
   * @param reason of the end; it is used if the host has sent no part
   */
  closed(reason: RecordingEnd): void;
}

/** Part of a host that records its session. */
export interface RecordingHost {
  /** Starts a recording. */
  record(order: RecordingOrder, sink: RecordingSink): void;
  /** Ends a recording. Its last parts follow. */
  endRecording(number: number, reason: RecordingEnd): void;
  /** Adds a marker to a recording. */
  mark(number: number, name: string): void;
  /** Makes the next picture of a recording a key frame. */
  requestKeyFrame(number: number): void;
}

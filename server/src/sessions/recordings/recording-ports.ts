import type { Readable } from 'node:stream';
import type { RecordingSettings } from '../../create-fields/values/recording-request.js';
import type { RecordingEnd, RecordingOrder, RecordingPart } from '../../recording-protocol.js';
import type { RecordedFragment, RecordingQuery, RecordingRecord } from './recording-record.js';

/** Index of all recordings. A saved entry is durable. */
export interface RecordingIndex {
  get(id: string): Promise<RecordingRecord | undefined>;
  /**
   * Adds an entry or replaces the one with the same id. Does nothing if another node has removed the
   * recording.
   */
  save(record: RecordingRecord): Promise<void>;
  remove(id: string): Promise<void>;
  /**
   * Returns the ids of recordings of this node that other nodes removed before they were `ready`. This node
   * may still have files of them.
   */
  removedElsewhere(): Promise<string[]>;
  /** Deletes the id of a removed recording from the index. Call it after the files were removed. */
  forgetRemoved(id: string): Promise<void>;
  /** Returns the recordings of this node in the states `recording` and `finalizing`. */
  unfinished(): Promise<RecordingRecord[]>;
  /** Returns recordings that follow `after` in the list, newest first. */
  page(query: RecordingQuery, after: RecordingRecord | undefined, limit: number): Promise<RecordingRecord[]>;
  /** Returns true if a recording is not complete, and its node is lost or has left. */
  isAbandoned(id: string): Promise<boolean>;
  /**
   * Returns recordings to remove, oldest first: complete recordings that ended before `date`, and abandoned
   * recordings that ended or started before `date`.
   */
  endedBefore(date: Date, limit: number): Promise<RecordingRecord[]>;
  /** Returns the bytes of all recordings, except those with the ids in `except`. */
  bytes(except?: readonly string[]): Promise<number>;
}

/** Stored files of a recording. Chapters and playlists are computed from them. */
export type RecordingFile = 'video' | 'events';

/** Size of a recording's files and duration of its video. */
export interface RecordingSize {
  bytes: number;
  seconds: number;
}

/** Parts of a video file, see {@link RecordingFiles.fragments}. */
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
  /** True if recordings are moved from this machine to a store after their end. */
  readonly moves: boolean;
  /**
   * Moves an ended recording to its store. Resolves to false if the recording has no files. Rejects if the
   * store does not accept the files. Safe to call again.
   */
  move(id: string): Promise<boolean>;
  create(id: string): Promise<RecordingWriter>;
  /**
   * Repairs the files of a recording after the service was killed: removes an incomplete part at their end.
   * Resolves to the remaining size.
   */
  repair(id: string): Promise<RecordingSize>;
  /**
   * Replaces the video of an ended recording by a video with an index, so that players can seek without
   * reading the whole file. Resolves to the change of the size in bytes. Rejects if the video cannot get an
   * index, and then keeps the old video.
   */
  index(id: string, signal: AbortSignal): Promise<number>;
  /**
   * Returns the fragments of the video, and the size of its initialisation segment. `live` is true while the
   * video has no index. A video with an index may replace it, with fragments at other positions.
   */
  fragments(id: string): Promise<VideoParts>;
  /** Returns the size of a file in bytes. Undefined if the file does not exist. */
  size(id: string, file: RecordingFile): Promise<number | undefined>;
  /** Reads a file from its byte `start` to its byte `end`, both included. */
  read(id: string, file: RecordingFile, start: number, end: number): Readable;
  remove(id: string): Promise<void>;
}

/** Receives a recording from a session's host. */
export interface RecordingSink {
  /** Stores a part. Resolves when the host may send the next part. Never rejects. */
  part(part: RecordingPart): Promise<void>;
  /**
   * Called if the connection to the host was closed before the part `end` arrived. No further part follows.
   *
   * @param reason reason of the recording's end, valid if the host has sent no part
   */
  closed(reason: RecordingEnd): void;
}

/** Interface to the part of a host that records the session. */
export interface RecordingHost {
  /** Starts a recording. */
  record(order: RecordingOrder, sink: RecordingSink): void;
  /** Ends a recording. The host then sends its last parts. */
  endRecording(number: number, reason: RecordingEnd): void;
  /** Adds a marker to a recording. */
  mark(number: number, name: string): void;
  /** Makes the next picture of a recording a key frame. */
  requestKeyFrame(number: number): void;
}

/** The session that is recorded. */
export interface RecordedSession {
  id: string;
  tenantId: string | null;
  tag: string | null;
  /**
   * Settings of the ring: the last seconds of the session, which its host keeps in memory. Null: there is no
   * ring.
   */
  ring: RecordingSettings | null;
  /** Connects a recording to the session's host. Rejects if the session has ended. */
  recordingHost(): Promise<RecordingHost>;
  /** Endpoint that receives the event at the end. */
  webhook: RecordingRecord['webhook'];
}

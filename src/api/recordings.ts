import type { CreateSession } from './create-session.js';
import { encoded, query, type RequestsAt } from './requests.js';

/** Settings of a recording. */
export type RecordingSettings = Omit<Exclude<CreateSession['record'], boolean | undefined>, 'ring'>;

/** Records only the last seconds, which a session with the option `ring` keeps in memory. */
export interface RingRecording {
  from: 'ring';
}

/** A recording of a session. Dates are RFC 3339 in UTC. */
export interface Recording {
  id: string;
  session_id: string;
  tenant_id: string | null;
  tag: string | null;
  /** Ids of the users and agents who were in the session during the recording, 100 at most. */
  users: string[];
  /** `failed`: nothing was recorded. */
  state: 'recording' | 'finalizing' | 'ready' | 'failed';
  start_date: string;
  /** Null while the session is being recorded. */
  end_date: string | null;
  /** Reason of the end. Null while the session is being recorded. */
  end: RecordingEndReason | null;
  /** Duration of the video in seconds. */
  seconds: number;
  /** Size of video and events in bytes. */
  bytes: number;
}

/** Reason of the end of a recording. */
export type RecordingEndReason =
  'stopped' | 'session_ended' | 'max_seconds' | 'max_mb' | 'quota' | 'storage' | 'interrupted';

/**
 * Filters of the list of recordings. A filter with the value `undefined` is omitted. So with
 * `{ tenant: undefined }`, the list has the recordings of all tenants. Check a value before you use it as a
 * filter.
 */
export interface RecordingFilters {
  /** Id of the session. */
  session?: string | undefined;
  tag?: string | undefined;
  tenant?: string | undefined;
  /** Id of a user who was in the session. Selects only recordings that have ended. */
  user?: string | undefined;
  /** Earliest start, RFC 3339. */
  from?: string | undefined;
  /** Latest start, RFC 3339. */
  to?: string | undefined;
}

/** A token that reads one recording. */
export interface RecordingToken {
  /** Id of the token. The id itself gives no access. */
  token_id: string;
  scope: 'replay';
  /** RFC 3339, UTC. */
  created: string;
  /** RFC 3339, UTC. */
  expires: string;
}

/** A new token for a recording, with its secret. */
export interface IssuedRecordingToken extends Omit<RecordingToken, 'created'> {
  /** The secret. The service cannot return it again. */
  token: string;
  /** Address of the recording with the token, for `<cloud-browser-replay>`. */
  url: string;
  /** Address of the recording's video with the token. */
  video_url: string;
  /** Address of the recording's HLS playlist with the token. */
  playlist_url: string;
}

/** The recordings of the service. If a request fails, its method rejects with an `ApiError`. */
export class RecordingsApi {
  /** @param at sends requests to the address of the service */
  constructor(private readonly at: RequestsAt) {}

  /** Returns one page of recordings, newest first. `afterId`: the `next` of the previous page. */
  list(
    filters: RecordingFilters = {},
    afterId?: string,
  ): Promise<{ results: Recording[]; next: string | null }> {
    return this.at.get(`/v0/recordings${query({ ...filters, after_id: afterId })}`);
  }

  /** Yields all recordings, page by page. */
  async *all(filters: RecordingFilters = {}): AsyncGenerator<Recording, void, undefined> {
    let after: string | undefined;
    do {
      const { results, next } = await this.list(filters, after);
      yield* results;
      after = next ?? undefined;
    } while (after !== undefined);
  }

  get(id: string): Promise<Recording> {
    return this.at.get(pathOf(id));
  }

  /** Deletes a recording. */
  delete(id: string): Promise<{ id: string }> {
    return this.at.delete(pathOf(id));
  }

  /** Returns a file of a recording as a whole. For long videos, use the `video_url` of a token. */
  file(
    id: string,
    name: 'video.mp4' | 'events' | 'index.m3u8' | 'chapters.vtt' | 'thumbnail.jpg',
  ): Promise<Uint8Array> {
    return this.at.bytes(`${pathOf(id)}/${name}`);
  }

  /** Issues a token that reads one recording. `ttl`: seconds until it expires, by default 3600. */
  issueToken(id: string, ttl?: number): Promise<IssuedRecordingToken> {
    return this.at.post(`${pathOf(id)}/tokens`, ttl === undefined ? {} : { ttl });
  }

  /** Returns the valid tokens of a recording, without their secrets. */
  async tokens(id: string): Promise<RecordingToken[]> {
    return (await this.at.get<{ tokens: RecordingToken[] }>(`${pathOf(id)}/tokens`)).tokens;
  }

  /** Revokes a token of a recording. */
  revokeToken(id: string, tokenId: string): Promise<{ token_id: string }> {
    return this.at.delete(`${pathOf(id)}/tokens/${encoded(tokenId)}`);
  }
}

function pathOf(id: string): string {
  return `/v0/recordings/${encoded(id)}`;
}

import type {
  DialogAnswer,
  MethodArgs,
  MethodResult,
  Permissions,
  Role,
  SessionUser,
  TabDialog,
  TabMethod,
} from '../protocol/index.js';
import { runtime, type Fetch } from './fetch.js';
import type { CreateSession } from './create-session.js';
import { ApiError } from './errors.js';
import { RecordingsApi } from './recordings.js';
import { ApiRequests, encoded, query, type RequestsAt } from './requests.js';
import { sessionPrograms } from './session-programs.js';
import type {
  SessionAccess,
  SessionCreated,
  SessionRow,
  SessionView,
  TimeoutLimits,
  TimeoutState,
  UsageRow,
  IssuedToken,
  NewToken,
  SessionToken,
} from './types.js';

/** Maximum number of requests for the end of a session. The service answers each after 25 seconds at most. */
const MAX_ENDS = 10;

/** Options of a {@link CloudBrowserApi}. */
export interface ApiOptions {
  /** Address of the service, such as https://browser.example.com. */
  baseUrl: string;
  apiKey: string;
  /** Default: the platform's `fetch`. */
  fetch?: Fetch;
  /** Timeout of one request in milliseconds. Default 60000, because the start of a browser may take long. */
  timeLimit?: number;
}

/** An extension to upload with a session. */
export interface ExtensionFile {
  /** A zip or crx archive of at most 1 MB. */
  archive: Uint8Array;
  fileName?: string;
}

/**
 * Client of the service's REST API, for your backend. If a request fails, its method rejects with an
 * `ApiError`.
 */
export class CloudBrowserApi {
  /** The recordings of the service. */
  readonly recordings: RecordingsApi;
  readonly #requests: ApiRequests;
  /** Sends requests to the service, with the API key. */
  readonly #service: RequestsAt;

  constructor({ baseUrl, apiKey, fetch, timeLimit = 60_000 }: ApiOptions) {
    this.#requests = new ApiRequests(fetch, timeLimit);
    this.#service = this.#requests.at(baseUrl.replace(/\/+$/, ''), apiKey);
    this.recordings = new RecordingsApi(this.#service);
  }

  /**
   * Starts a session. With an extension, sets `parameters.extension` itself. An extension needs FormData and
   * Blob: rejects with a TypeError if this runtime lacks one of them.
   */
  async createSession(parameters: CreateSession = {}, extension?: ExtensionFile): Promise<SessionCreated> {
    if (!extension) return this.#service.post('/v0/vm', parameters);
    const { FormData, Blob } = runtime();
    if (!FormData || !Blob) throw new TypeError('This runtime has no FormData, which an upload needs.');
    const form = new FormData();
    const field = parameters.extension?.field ?? 'extension';
    form.append('body', JSON.stringify({ ...parameters, extension: { field } }));
    form.append(field, new Blob([extension.archive]), extension.fileName ?? 'extension.zip');
    return this.#service.send('/v0/vm', form, undefined);
  }

  getSession(sessionId: string): Promise<SessionView> {
    return this.#service.get(`/v0/vm/${encoded(sessionId)}`);
  }

  /**
   * Ends a session. Resolves after its profile is saved, if the session saves a profile. Rejects with
   * `err_session_ending` if the session has not ended after ten requests, which take about four minutes.
   */
  async endSession(sessionId: string): Promise<{ session_id: string }> {
    const end = () =>
      this.#service.delete<{ session_id: string; state?: string }>(`/v0/vm/${encoded(sessionId)}`);
    for (let tries = 0; tries < MAX_ENDS; tries++) {
      const { session_id, state } = await end();
      // If the end of the session takes long, the service answers before the end. The next request continues
      // the wait.
      if (state !== 'ending') return { session_id };
    }
    throw new ApiError('err_session_ending', 'The session has not ended yet. Try again.', 202, undefined);
  }

  /** Returns one page of running sessions, oldest first. `afterId`: the `next` of the previous page. */
  listSessions(afterId?: string): Promise<{ results: SessionRow[]; next: string | null }> {
    return this.#service.get(`/v0/vm${query({ after_id: afterId })}`);
  }

  /** Yields all running sessions, page by page. */
  async *sessions(): AsyncGenerator<SessionRow, void, undefined> {
    let after: string | undefined;
    do {
      const { results, next } = await this.listSessions(after);
      yield* results;
      after = next ?? undefined;
    } while (after !== undefined);
  }

  /**
   * Returns the usage by month, newest first. Without a tenant, returns the usage of all tenants together.
   */
  async usage(tenantId?: string): Promise<UsageRow[]> {
    const { usage } = await this.#service.get<{ usage: UsageRow[] }>(
      `/v0/vm/usage${query({ tenant_id: tenantId })}`,
    );
    return usage;
  }

  /** Returns the methods for one session. */
  session({
    embed_url: embedUrl,
    admin_token: adminToken,
  }: Pick<SessionAccess, 'embed_url' | 'admin_token'>) {
    const at = this.#requests.at(embedUrl.replace(/[?#].*$/, ''), adminToken);
    const change = async <Method extends 'setPermissions' | 'addRoles' | 'removeRoles'>(
      method: Method,
      ...args: MethodArgs<Method>
    ) => {
      await at.post(`/${method}`, args);
    };
    return {
      ...sessionPrograms(at),
      /**
       * Changes time limits. Null removes a limit. Restarts the counted times, except with `reset: false`.
       * Resolves to all limits.
       */
      updateTimeout: (limits: TimeoutLimits & { reset?: boolean }) =>
        at.post<TimeoutState>('/timeout', limits),
      /** Reports activity: restarts the counted time of the limit `inactive`. */
      ping: () => at.post<{ status: 'ok' }>('/ping'),
      /** Appends the bookmarks of a file in the Netscape format. */
      addBookmarks: (file: string) => at.send<{ bookmarks: number }>('/bookmarks', file, 'text/html'),
      /** Returns all connected users. */
      users: async () => (await at.get<{ users: SessionUser[] }>('/users')).users,
      /** Changes permissions of a user. Omitted permissions stay unchanged. */
      setPermissions: (userId: string, permissions: Partial<Permissions>) =>
        change('setPermissions', userId, permissions),
      /** Gives roles to users. With `exclusive`, gives the roles to all other users instead. */
      addRoles: (userIds: readonly string[], roles: readonly Role[], exclusive = false) =>
        change('addRoles', userIds, roles, exclusive),
      /** Removes roles from users. With `exclusive`, removes the roles from all other users instead. */
      removeRoles: (userIds: readonly string[], roles: readonly Role[], exclusive = false) =>
        change('removeRoles', userIds, roles, exclusive),
      /** Disconnects a user with the reason `kicked`. */
      kick: (userId: string) => at.delete<{ user_id: string }>(`/users/${encoded(userId)}`),
      /** Issues a token for the session. */
      issueToken: (token: NewToken) => at.post<IssuedToken>('/tokens', token),
      /** Returns the valid tokens of the session, without their secrets. */
      tokens: async () => (await at.get<{ tokens: SessionToken[] }>('/tokens')).tokens,
      /** Revokes a token, and ends the connections that it admitted. */
      revokeToken: (tokenId: string) => at.delete<{ token_id: string }>(`/tokens/${encoded(tokenId)}`),
      /** Locks the screen size for all users except admins. `false` unlocks it. */
      pinSize: (pinned = true) => at.post<{ status: 'ok' }>('/pinSize', [pinned]),
      /**
       * Calls a method of Chrome's `chrome.tabs`. `tabs('query', { active: true, lastFocusedWindow: true })`
       * returns the tab that users see.
       */
      tabs: <Method extends TabMethod>(method: Method, ...args: MethodArgs<`tabs.${Method}`>) =>
        at.post<MethodResult<`tabs.${Method}`>>(`/tabs.${method}`, args),
      /** Returns the open dialogs of pages. */
      dialogs: () => at.post<TabDialog[]>('/dialogs.list', []),
      /** Answers the dialog of a tab. */
      answerDialog: (tabId: number, answer: DialogAnswer) =>
        at.post<null>('/dialogs.answer', [tabId, answer]).then(() => undefined),
    };
  }
}

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
import { RecordingsApi } from './recordings.js';
import { ApiRequests, query } from './requests.js';
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

/** Client of the service's REST API, for your backend. Every method rejects with an `ApiError`. */
export class CloudBrowserApi {
  /** The recordings of the service. */
  readonly recordings: RecordingsApi;
  readonly #base: string;
  readonly #key: string;
  readonly #requests: ApiRequests;

  constructor({ baseUrl, apiKey, fetch, timeLimit = 60_000 }: ApiOptions) {
    this.#base = baseUrl.replace(/\/+$/, '');
    this.#key = apiKey;
    this.#requests = new ApiRequests(fetch, timeLimit);
    this.recordings = new RecordingsApi(this.#requests, this.#base, apiKey);
  }

  /** Starts a session. With an extension, it fills in `parameters.extension`. */
  createSession(parameters: CreateSession = {}, extension?: ExtensionFile): Promise<SessionCreated> {
    const call = { method: 'POST', url: `${this.#base}/v0/vm`, credential: this.#key } as const;
    if (!extension)
      return this.#requests.json({
        ...call,
        body: JSON.stringify(parameters),
        contentType: 'application/json',
      });
    const { FormData, Blob } = runtime();
    if (!FormData || !Blob) throw new TypeError('This runtime has no FormData, which an upload needs.');
    const form = new FormData();
    const field = parameters.extension?.field ?? 'extension';
    form.append('body', JSON.stringify({ ...parameters, extension: { field } }));
    form.append(field, new Blob([extension.archive]), extension.fileName ?? 'extension.zip');
    return this.#requests.json({ ...call, body: form });
  }

  getSession(sessionId: string): Promise<SessionView> {
    return this.#get(`/v0/vm/${encodeURIComponent(sessionId)}`);
  }

  /** Ends a session. Resolves after its profile is saved, if the session saves a profile. */
  endSession(sessionId: string): Promise<{ session_id: string }> {
    const url = `${this.#base}/v0/vm/${encodeURIComponent(sessionId)}`;
    return this.#requests.json({ method: 'DELETE', url, credential: this.#key });
  }

  /** Returns a page of running sessions, oldest first. */
  listSessions(afterId?: string): Promise<{ results: SessionRow[]; next: string | null }> {
    return this.#get(`/v0/vm${query({ after_id: afterId })}`);
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

  /** Returns the usage by month, newest first. Without a tenant: of all tenants together. */
  async usage(tenantId?: string): Promise<UsageRow[]> {
    const { usage } = await this.#get<{ usage: UsageRow[] }>(`/v0/vm/usage${query({ tenant_id: tenantId })}`);
    return usage;
  }

  /** Returns the methods for one session. */
  session({
    embed_url: embedUrl,
    admin_token: adminToken,
  }: Pick<SessionAccess, 'embed_url' | 'admin_token'>) {
    const base = embedUrl.replace(/[?#].*$/, '');
    const post = <T>(path: string, body: string, contentType: string) =>
      this.#requests.json<T>({
        method: 'POST',
        url: `${base}/${path}`,
        credential: adminToken,
        body,
        contentType,
      });
    const change = async <Method extends 'setPermissions' | 'addRoles' | 'removeRoles'>(
      method: Method,
      ...args: MethodArgs<Method>
    ) => {
      await post(method, JSON.stringify(args), 'application/json');
    };
    const credential = adminToken;
    return {
      ...sessionPrograms(this.#requests, base, adminToken),
      /** Changes limits. Null removes a limit, `reset: false` keeps the counters. Resolves to all limits. */
      updateTimeout: (limits: TimeoutLimits & { reset?: boolean }) =>
        post<TimeoutState>('timeout', JSON.stringify(limits), 'application/json'),
      /** Restarts the inactive limit. */
      ping: () => post<{ status: 'ok' }>('ping', '{}', 'application/json'),
      /** Appends the bookmarks of a file in the Netscape format. */
      addBookmarks: (file: string) => post<{ bookmarks: number }>('bookmarks', file, 'text/html'),
      /** Returns all connected users. */
      users: async () =>
        (
          await this.#requests.json<{ users: SessionUser[] }>({
            method: 'GET',
            url: `${base}/users`,
            credential,
          })
        ).users,
      /** Changes permissions of a user. Omitted permissions stay unchanged. */
      setPermissions: (userId: string, permissions: Partial<Permissions>) =>
        change('setPermissions', userId, permissions),
      /** Gives roles to users. With `exclusive`: to all other users. */
      addRoles: (userIds: readonly string[], roles: readonly Role[], exclusive = false) =>
        change('addRoles', userIds, roles, exclusive),
      /** Removes roles from users. With `exclusive`: from all other users. */
      removeRoles: (userIds: readonly string[], roles: readonly Role[], exclusive = false) =>
        change('removeRoles', userIds, roles, exclusive),
      /** Disconnects a user with the reason `kicked`. */
      kick: (userId: string) =>
        this.#requests.json<{ user_id: string }>({
          method: 'DELETE',
          url: `${base}/users/${encodeURIComponent(userId)}`,
          credential,
        }),
      /** Issues a token. */
      issueToken: (token: NewToken) => post<IssuedToken>('tokens', JSON.stringify(token), 'application/json'),
      /** Returns the valid tokens, without their secrets. */
      tokens: async () =>
        (
          await this.#requests.json<{ tokens: SessionToken[] }>({
            method: 'GET',
            url: `${base}/tokens`,
            credential,
          })
        ).tokens,
      /** Revokes a token, and ends the connections that it admitted. */
      revokeToken: (tokenId: string) =>
        this.#requests.json<{ token_id: string }>({
          method: 'DELETE',
          url: `${base}/tokens/${encodeURIComponent(tokenId)}`,
          credential,
        }),
      /** Locks the screen size for all users except admins. `false` unlocks it. */
      pinSize: (pinned = true) =>
        post<{ status: 'ok' }>('pinSize', JSON.stringify([pinned]), 'application/json'),
      /** Calls a method of Chrome's `chrome.tabs`: `tabs('query', { active: true })`. */
      tabs: <Method extends TabMethod>(method: Method, ...args: MethodArgs<`tabs.${Method}`>) =>
        post<MethodResult<`tabs.${Method}`>>(`tabs.${method}`, JSON.stringify(args), 'application/json'),
      /** Returns the open dialogs of pages. */
      dialogs: () => post<TabDialog[]>('dialogs.list', '[]', 'application/json'),
      /** Answers the dialog of a tab. */
      answerDialog: (tabId: number, answer: DialogAnswer) =>
        post<null>('dialogs.answer', JSON.stringify([tabId, answer]), 'application/json').then(
          () => undefined,
        ),
    };
  }

  #get<T>(path: string): Promise<T> {
    return this.#requests.json({ method: 'GET', url: this.#base + path, credential: this.#key });
  }
}

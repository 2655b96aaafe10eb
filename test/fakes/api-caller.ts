import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { API_KEY, type TestService } from './test-service.js';

/** The answer to a request that creates a session. */
export interface Access {
  session_id: string;
  embed_url: string;
  admin_token: string;
}

/** Returns the status and the error code of an answer. */
export function codeOf(answer: LightMyRequestResponse): [status: number, code: string | undefined] {
  return [answer.statusCode, answer.json<{ code?: string }>().code];
}

/** Sends requests to a {@link TestService} as a customer's backend does. */
export class ApiCaller {
  constructor(private readonly service: TestService) {}

  create(parameters: unknown = {}): Promise<LightMyRequestResponse> {
    return this.send('POST', '/v0/vm', parameters);
  }

  /** Creates a session, which must succeed. */
  async begin(parameters: unknown = {}): Promise<Access> {
    const response = await this.create(parameters);
    if (response.statusCode !== 200) throw new Error(response.body);
    return response.json<Access>();
  }

  /** With an API key. */
  send(method: 'GET' | 'POST' | 'DELETE', url: string, body?: unknown): Promise<LightMyRequestResponse> {
    return this.#inject(method, url, API_KEY, body);
  }

  /** Under a session's own address, with its admin token or another one. */
  control(session: Access, path: string, body?: unknown, token = session.admin_token) {
    return this.#inject('POST', `${new URL(session.embed_url).pathname}/${path}`, `Bearer ${token}`, body);
  }

  #inject(method: 'GET' | 'POST' | 'DELETE', url: string, authorization: string, body: unknown) {
    const options: InjectOptions = { method, url, headers: { authorization } };
    if (body !== undefined) options.payload = typeof body === 'string' ? body : JSON.stringify(body);
    return this.service.app.inject(options);
  }
}

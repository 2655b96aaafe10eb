import type { Guard } from './guard.js';

const DOOR = 'test/unit/service/http/door.test.ts';
const PROXY_TEST = 'test/unit/egress/session-proxy.test.ts';
const FRAMING_TEST = 'test/unit/egress/answer-framing.test.ts';
const INSIDE_TEST = 'test/unit/service/platform/inside.test.ts';

/** Guards that keep pages, viewers, customers and strangers from the network, the machine and the service. */
export const SERVICE_GUARDS: readonly Guard[] = [
  {
    name: 'a token reads only its own recording',
    edits: [
      {
        file: 'server/src/sessions/recordings/replay-tokens.ts',
        search: 'return findByHash(candidate, await this.list(recordingId)) !== undefined;',
        replace: 'return (await this.list(recordingId)).length >= 0 && candidate.length > 40;',
      },
    ],
    proofs: [{ file: 'test/unit/recording/replay-tokens.test.ts', title: 'gives access to nothing else' }],
  },
  {
    name: 'the check of addresses',
    edits: [
      {
        file: 'server/src/egress/guard.ts',
        search: "return rules.opens(host, plain, port) ? undefined : (kind ?? 'own_address');",
        replace: 'return undefined;',
      },
    ],
    proofs: [
      {
        file: PROXY_TEST,
        title: 'is refused for blocked kinds of addresses in every spelling, with an error page',
      },
    ],
  },
  {
    name: 'the check for the address of the service',
    edits: [
      {
        file: 'server/src/egress/guard.ts',
        search: 'if (own && port === servicePort())',
        replace: 'if (own && port < 0)',
      },
    ],
    proofs: [{ file: PROXY_TEST, title: 'does not reach the service unless exactly its port is allowed' }],
  },
  {
    name: 'the check of every request on a kept connection',
    edits: [
      {
        file: 'server/src/egress/plain-request.ts',
        search: 'const lookup = pinned(await parts.guard.addresses(host, port));',
        replace:
          'const lookup: ReturnType<typeof pinned> = (name, options, done) => { parts.guard.addresses(name, port).then((all) => pinned(all)(name, options, done), (error) => done(error, "")); };',
      },
    ],
    proofs: [{ file: PROXY_TEST, title: 'is checked each time on a kept connection' }],
  },
  {
    name: 'the check of every address of a name',
    edits: [
      {
        file: 'server/src/egress/guard.ts',
        search: 'for (const { address } of addresses) {',
        replace: 'for (const { address } of addresses.slice(0, 1)) {',
      },
    ],
    proofs: [
      {
        file: PROXY_TEST,
        title: 'is refused if one address of its name is blocked, and connects only to checked addresses',
      },
    ],
  },
  {
    name: 'the browser and the parser use the same length of a response',
    edits: [
      {
        file: 'server/src/egress/plain-request.ts',
        search: "headers['transfer-encoding'] === undefined ? [] : ['content-length']",
        replace: 'headers.age === undefined ? [] : []',
      },
    ],
    proofs: [
      {
        file: FRAMING_TEST,
        title: 'with a transfer coding and a length uses the coding, for the browser too',
      },
      { file: FRAMING_TEST, title: 'with a coding after thousands of headers also uses the coding' },
    ],
  },
  {
    name: 'a long response is cut at its announced end',
    edits: [
      {
        file: 'server/src/egress/answers/bulk-reader.ts',
        search: 'bytes.length > left ? bytes.subarray(0, left) : bytes',
        replace: 'bytes',
      },
      {
        file: 'server/src/egress/answers/bulk-reader.ts',
        search: 'if (left === 0) sink.end();',
        replace: 'if (left <= 0) sink.end();',
      },
    ],
    proofs: [
      {
        file: 'test/unit/egress/long-answer.test.ts',
        title: 'with more data than announced is cut, and the rest is not read as a response',
      },
    ],
  },
  {
    name: 'a session cannot use the sockets of others',
    edits: [
      {
        file: 'server/src/egress/fair-share.ts',
        search: 'if (session.open >= usable) return false;',
        replace: 'if (this.#free <= 0) return false;',
      },
    ],
    proofs: [
      {
        file: 'test/unit/egress/session-sockets.test.ts',
        title: 'are available to a session however many tunnels others open, with a refusal for those',
      },
      {
        file: 'test/unit/egress/name-threads.test.ts',
        title: 'succeed while another session has any number of lookups without an answer',
      },
    ],
  },
  {
    name: 'webhooks reach only public addresses',
    edits: [
      {
        file: 'server/src/webhooks/guarded-client.ts',
        search: 'if (!addresses.every(({ address }) => this.#isOpen(host, address, port)))',
        replace: 'if (addresses.length + port < 0)',
      },
    ],
    proofs: [
      {
        file: 'test/unit/service/webhooks/webhook-client.test.ts',
        title: 'does not connect to non-public addresses, however they are written',
      },
    ],
  },
  {
    name: 'clients that guess keys are slowed down',
    edits: [
      {
        file: 'server/src/platform/rates/attempts.ts',
        search: 'return this.#right.has(keyOf(address, credential)) || this.#wrong.take(networkOf(address));',
        replace: 'this.#wrong.take(networkOf(address)); return credential !== "";',
      },
    ],
    proofs: [
      {
        file: DOOR,
        title: 'is slowed down after a hundred wrong keys, and does not learn that a key is right',
      },
    ],
  },
  {
    name: 'a profile cannot be replaced by a link',
    edits: [
      {
        file: 'server/src/platform/files/inside.ts',
        search: 'open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)',
        replace: 'open(path, O_RDONLY | O_DIRECTORY)',
      },
    ],
    proofs: [
      { file: INSIDE_TEST, title: 'is not left through its links, for reads or writes' },
      {
        file: 'test/processes/file-profile-store.test.ts',
        title: 'are not read through a link in their place',
      },
    ],
  },
  {
    name: 'a lock cannot be replaced by a link',
    edits: [
      { file: 'server/src/platform/files/file-lock.ts', search: ' | constants.O_NOFOLLOW', replace: '' },
    ],
    proofs: [
      {
        file: 'test/processes/file-lock.test.ts',
        title: 'is refused if a link, a pipe or a directory is in its place',
      },
    ],
  },
  {
    name: 'locks are only in directories that others cannot write to',
    edits: [
      {
        file: 'server/src/platform/files/file-lock.ts',
        search: 'if (!own || (found.mode & WRITABLE_BY_OTHERS) !== 0)',
        replace: 'if (!own && WRITABLE_BY_OTHERS < 0)',
      },
    ],
    proofs: [
      {
        file: 'test/processes/file-lock.test.ts',
        title: 'is refused in a directory that others can write to',
      },
    ],
  },
  {
    name: 'tokens are not passed to the host',
    edits: [
      {
        file: 'server/src/gateway/handover.ts',
        search: "url: '/', headers",
        replace: "url: request.url ?? '/', headers",
      },
    ],
    proofs: [
      {
        file: 'test/unit/service/http/gateway.test.ts',
        title: 'is passed to the host of its session, without data that the host does not need',
      },
    ],
  },
  {
    name: 'a token is checked again when the body of its request has arrived',
    edits: [
      {
        file: 'server/src/http/access/session-scope.ts',
        search: 'const hasEnded = session && ',
        replace: 'const hasEnded = session?.ending && ',
      },
    ],
    proofs: [
      {
        file: 'test/unit/service/auth/tokens.test.ts',
        title: 'refuses a request whose body arrives after it',
      },
    ],
  },
  {
    name: 'an ended token adds no agent',
    edits: [
      {
        file: 'server/src/host/features/computer/computer-agents.ts',
        search: "if (ended) throw new CallError('err_forbidden'",
        replace: "if (ended === undefined && caller.tokenId === '') throw new CallError('err_forbidden'",
      },
    ],
    proofs: [
      {
        file: 'test/unit/host/computer/computer-agents.test.ts',
        title: 'do not join again with a call whose token ended while the service read its body',
      },
    ],
  },
];

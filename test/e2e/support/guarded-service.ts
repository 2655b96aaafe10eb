import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chown } from 'node:fs/promises';
import { atEnd } from './cleanup.js';
import { FORBIDDEN_NAMES, type ForbiddenHost } from './forbidden-hosts.js';
import { NameServer } from './name-server.js';
import { Service } from './service.js';
import { TargetServer } from './target-server.js';
import { until } from './until.js';

/** Hundreds of requests take a busy browser a while. */
const REFUSED_LIMIT_MS = 90_000;
/** The address of the proxy in the network of each session. */
const SESSION_PROXY_PORT = 3128;

/**
 * A service with its own name server, some servers that its hosted pages may reach, and others that they may
 * not reach.
 */
export class GuardedService {
  /** Number of bytes that reached a closed address by UDP. */
  packets = 0;

  private constructor(
    readonly service: Service,
    readonly names: NameServer,
    /** Open to hosted pages, as 127.0.0.1 and as `open.test`. */
    readonly open: TargetServer,
    /** Closed to them: the same port of 127.0.0.1 and of ::1. */
    readonly closed: readonly TargetServer[],
  ) {}

  /**
   * @param uid user id of the service. Undefined: that of this process
   * @param allow further allowed addresses, as in `EGRESS_ALLOW`
   */
  static async start(uid: number | undefined, allow: readonly string[]): Promise<GuardedService> {
    const [names, open, four] = await Promise.all([
      NameServer.start(),
      TargetServer.start(),
      TargetServer.start(),
    ]);
    const six = await TargetServer.start('::1', four.port).catch(() => undefined);
    for (const [name, address] of Object.entries(FORBIDDEN_NAMES)) names.names.set(name, address);
    names.names.set('open.test', '127.0.0.1');
    const environment = {
      EGRESS_ALLOW: [...allow, `127.0.0.1:${open.port}`].join(),
      EGRESS_DNS: names.address,
    };
    const directory = await Service.makeDirectory();
    if (uid !== undefined) await chown(directory, uid, uid);
    const user = ['--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups', '--'];
    const through = uid === undefined ? [] : ['setpriv', '--pdeathsig', 'KILL', ...user];
    const service = await Service.startIn(directory, environment, atEnd, through);
    const guarded = new GuardedService(service, names, open, [four, ...(six ? [six] : [])]);
    await guarded.#hearPackets();
    return guarded;
  }

  get closedPort(): number {
    const [first] = this.closed;
    assert.ok(first);
    return first.port;
  }

  /**
   * Places at these hosts, and further ones on this machine: the service and the networks of its sessions.
   */
  places(hosts: readonly ForbiddenHost[], path: string): { place: string; rule: string }[] {
    const { port } = new URL(this.service.url);
    const own = ['127.0.0.1', 'localhost', '0.0.0.0', '[::ffff:127.0.0.1]', 'closed.test'];
    return [
      ...hosts.map(([host, rule]) => ({ place: `${host}:${this.closedPort}`, rule })),
      ...own.map((host) => ({ place: `${host}:${port}`, rule: 'service' })),
      { place: `127.0.0.1:${SESSION_PROXY_PORT}`, rule: 'loopback' },
    ].map(({ place, rule }, index) => ({ place: `${place}/${path}/${index}`, rule }));
  }

  /**
   * Resolves when each rule has refused as many requests as were made. Asserts that no closed server was
   * reached.
   *
   * @param rules a rule for each request
   */
  async refuses(what: string, rules: readonly string[], act: () => unknown): Promise<void> {
    const before = await this.#refusals();
    await act();
    let missing: unknown;
    await until(
      `all are refused of ${what}`,
      async () => {
        const after = await this.#refusals();
        missing = [...new Set(rules)].flatMap((rule) => {
          const expected = rules.filter((one) => one === rule).length;
          const refused = (after[rule] ?? 0) - (before[rule] ?? 0);
          return refused >= expected ? [] : [`${rule}: ${refused} of ${expected}`];
        });
        return Array.isArray(missing) && missing.length === 0;
      },
      REFUSED_LIMIT_MS,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)} Refused were ${JSON.stringify(missing)}.`);
    });
    this.assertUnreached();
  }

  /** Number of requests refused so far by a rule. */
  async refusedBy(rule: string): Promise<number> {
    return (await this.#refusals())[rule] ?? 0;
  }

  /** Asserts that no request reached a closed server, by TCP or by UDP. */
  assertUnreached(): void {
    const reached = this.closed.map(({ connections }) => connections);
    assert.deepEqual([...reached, this.packets], [...reached.map(() => 0), 0]);
  }

  async #refusals(): Promise<Record<string, number>> {
    const { url, key } = this.service;
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
    const found = (await answer.text()).matchAll(
      /^cloud_browser_egress_refused_total\{rule="(\w+)"\} (\d+)$/gm,
    );
    return Object.fromEntries([...found].map(([, rule = '', count]) => [rule, Number(count)]));
  }

  async #hearPackets(): Promise<void> {
    const socket = createSocket('udp4').bind(this.closedPort, '127.0.0.1');
    await once(socket, 'listening');
    socket.on('message', ({ length }) => (this.packets += length));
    atEnd(() => socket.close());
  }
}

import { readFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { NAME_THREADS, type EgressSettings, type FromEgress, type ToEgress } from '../egress-protocol.js';
import type { HttpProxy } from '../host-protocol.js';
import { becomeUser } from '../platform/process/become-user.js';
import { EgressRules, PUBLIC_ONLY } from '../platform/network/egress-rules.js';
import { packageFile } from '../platform/files/package-files.js';
import { EgressGuard } from './guard.js';
import { NameResolver, resolveBy } from './name-resolver.js';
import { NameThreads } from './name-threads.js';
import { PacRouter } from './pac/pac-router.js';
import { RefusalCounts } from './refusal-counts.js';
import { straight } from './route.js';
import { SessionProxy } from './session-proxy.js';
import { allSockets, SessionSockets } from './session-sockets.js';
import { WelcomeSite } from './answers/welcome-site.js';

/** Returns the path of a built file that is needed to run proxy scripts. */
const built = (name: string) => packageFile('dist', 'egress', name);

/**
 * Main function of the egress process. Each service forks one egress process, with the settings as the only
 * argument. The process is unprivileged. All traffic of hosted browsers goes through this process. It ends
 * when the service ends.
 */
function main(): void {
  const settings = JSON.parse(process.argv[2] ?? '') as EgressSettings;
  // Reads these files before it drops privileges, because the unprivileged user may not be able to read them.
  const engine = readFileSync(built('quickjs.wasm'));
  const program = readFileSync(built('pac-program.cjs'), 'utf8');
  const welcome = WelcomeSite.read(packageFile('dist', 'pages', 'welcome'));
  if (settings.uid !== undefined) becomeUser(settings.uid, settings.uid);
  const rules = EgressRules.parse(settings.allow) ?? PUBLIC_ONLY;
  const { nameServers } = settings;

  const tell = (message: FromEgress) => {
    if (process.connected) process.send?.(message);
  };
  const counts = new RefusalCounts((refused) => tell({ type: 'refused', counts: refused }));
  const sessions = new Map<number, { close(): void }>();
  const threads = new NameThreads(NAME_THREADS);
  const all = allSockets();
  let servicePort: number | undefined;

  const open = (listener: unknown, proxy: HttpProxy | null) => {
    const resolver = new NameResolver({
      threads,
      ...(nameServers.length > 0 && { resolve: resolveBy(nameServers) }),
    });
    const guard = new EgressGuard({ rules, resolver, servicePort: () => servicePort });
    const pac = proxy ? new PacRouter({ pac: proxy.pac, guard, engine, program }) : undefined;
    const session = new SessionProxy({
      guard,
      sockets: new SessionSockets(all),
      router: pac ? (url) => pac.routes(url) : straight,
      credentials: credentialsOf(proxy),
      welcome,
      onRefused: (rule) => counts.add(rule),
    });
    session.server.listen(listener as Server);
    return {
      close: () => {
        session.close();
        pac?.close();
      },
    };
  };

  process.on('message', (message: ToEgress, handle: unknown) => {
    switch (message.type) {
      case 'open':
        if (handle) sessions.set(message.session, open(handle, message.proxy));
        return;
      case 'close':
        sessions.get(message.session)?.close();
        sessions.delete(message.session);
        return;
      case 'service':
        servicePort = message.port;
        return;
      case 'ping':
        tell({ type: 'pong' });
    }
  });
  process.on('disconnect', () => process.exit(0));
  // Ignores signals that a service manager sends to all processes of the service. The service handles them,
  // and closes the IPC channel when it is done. Then this process exits.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);

  tell({ type: 'ready' });
}

/**
 * Returns the value of the header `Proxy-Authorization`, see RFC 7617. Undefined if the proxy has no user
 * name.
 */
function credentialsOf(proxy: HttpProxy | null): string | undefined {
  if (proxy?.username === undefined) return undefined;
  return `Basic ${Buffer.from(`${proxy.username}:${proxy.password ?? ''}`).toString('base64')}`;
}

main();

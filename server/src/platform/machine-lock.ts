import { createServer, type Server } from 'node:net';

/** A name that this process alone holds on this machine. */
export interface MachineLock {
  release(): Promise<void>;
}

/**
 * Takes a name machine-wide, or returns undefined when another process holds it. The lock is a listening socket in
 * Linux's abstract namespace: the kernel gives it up with the process, however that ends, so no lock is ever stale.
 */
export function acquireLock(name: string): Promise<MachineLock | undefined> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen({ path: `\0cloud-browser/${name}` }, () => {
      server.unref();
      resolve({ release: () => closed(server) });
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

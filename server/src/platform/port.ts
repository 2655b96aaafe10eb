import { createServer, type AddressInfo } from 'node:net';

/** Whether a TCP port can be listened on. Throws what the system says when the reason is not that it is taken. */
export function isPortFree(host: string, port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen({ host, port }, () => server.close(() => resolve(true)));
  });
}

/** The port that a listening server got. */
export function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on TCP.');
  return address.port;
}

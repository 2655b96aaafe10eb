import { isPortFree } from '../platform/network/port.js';
import { StartError } from './start-error.js';

/** Address at which the service listens. */
interface ListenAddress {
  host: string;
  port: number;
}

/** Throws {@link StartError} if the port cannot be used. */
export async function requireFreePort({ host, port }: ListenAddress): Promise<void> {
  if (port === 0) return;
  let free: boolean;
  try {
    free = await isPortFree(host, port);
  } catch (error) {
    throw listenError(error, { host, port });
  }
  if (!free) throw taken({ host, port });
}

/** Returns the error for the operator if a server could not listen. */
export function listenError(error: unknown, { host, port }: ListenAddress): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  if (code === 'EADDRINUSE') return taken({ host, port });
  return new StartError(
    `The service cannot listen on HOST=${host} PORT=${port} (${code}). Set HOST or PORT to another value.`,
  );
}

function taken({ host, port }: ListenAddress): StartError {
  return new StartError(
    `Port ${port} on ${host} is used by another program. Stop that program, or set PORT to another port.`,
  );
}

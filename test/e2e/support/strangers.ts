import { randomInt } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type ListenOptions } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { atEnd } from './cleanup.js';

/** Resources of other users that every process of the machine can use. A sandbox must reach none of them. */
export interface Strangers {
  file: string;
  socket: string;
  abstractName: string;
  /** A TCP port on 127.0.0.1. */
  port: number;
  /** The id of a segment of System V shared memory. */
  memoryKey: number;
}

/** Creates all of these. They are removed when the test file ends. */
export async function strangers(): Promise<Strangers> {
  const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-strangers-'));
  atEnd(() => rm(directory, { recursive: true }));
  await chmod(directory, 0o755);
  const [file, socket] = [join(directory, 'file'), join(directory, 'socket')];
  await writeFile(file, 'for everybody', { mode: 0o644 });
  await listen({ path: socket });
  await chmod(socket, 0o777);
  const abstractName = basename(directory);
  await listen({ path: `\0${abstractName}` });
  const address = (await listen({ port: 0, host: '127.0.0.1' })) as AddressInfo;
  const memoryKey = randomInt(0x10_00_00_00, 0x7f_ff_ff_ff);
  perl(`defined shmget(${memoryKey}, 4096, 01666) or die $!`);
  atEnd(() => perl(`shmctl(shmget(${memoryKey}, 1, 0), 0, 0) or die $!`));
  return { file, socket, abstractName, port: address.port, memoryKey };
}

async function listen(where: ListenOptions) {
  const server = createServer((connection) => connection.on('error', () => undefined).end('hello'));
  server.listen(where);
  await once(server, 'listening');
  atEnd(() => server.close());
  return server.address();
}

function perl(program: string): void {
  execFileSync('perl', ['-e', program]);
}

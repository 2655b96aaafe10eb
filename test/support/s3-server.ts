import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

/** Credentials that the server accepts. */
const CREDENTIALS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
const BUCKET = 'recordings';

/** A server that is compatible with S3. It can be taken away and come back with its data. */
export class S3Server {
  #server: S3rver | undefined;

  private constructor(
    private readonly directory: string,
    readonly port: number,
  ) {}

  static async start(): Promise<S3Server> {
    const directory = await mkdtemp(join(tmpdir(), 'cloud-browser-s3-'));
    const server = new S3Server(directory, await freePort());
    await server.comeBack();
    return server;
  }

  /** The value of `RECORDINGS_URL`. */
  get url(): string {
    const endpoint = encodeURIComponent(`http://127.0.0.1:${this.port}`);
    return `s3://${BUCKET}/kept/here?region=us-east-1&endpoint=${endpoint}`;
  }

  /** Environment of a process that uses the server. */
  get environment(): Record<string, string> {
    return { RECORDINGS_URL: this.url, ...CREDENTIALS };
  }

  /** Directory with the bytes of all objects. */
  get data(): string {
    return this.directory;
  }

  /** Stops to answer. The data stays. */
  async goAway(): Promise<void> {
    await this.#server?.close();
    this.#server = undefined;
  }

  async comeBack(): Promise<void> {
    this.#server = new S3rver({
      ...{ address: '127.0.0.1', port: this.port, silent: true, directory: this.directory },
      configureBuckets: [{ name: BUCKET }],
    });
    await this.#server.run();
  }

  async stop(): Promise<void> {
    await this.goAway();
    await rm(this.directory, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Gives this process the credentials of the server. Returns a function that takes them away. */
export function useS3Credentials(): () => void {
  const names = Object.keys(CREDENTIALS);
  const before = names.map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, CREDENTIALS);
  return () => {
    for (const [name, value] of before)
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
  };
}

import type { S3Client } from '@aws-sdk/client-s3';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { MissingBlobError, type RecordingBlobs } from './recording-blobs.js';
import type { S3Address } from '../../platform/network/s3-address.js';

/** Timeout in milliseconds for a connection to the store. */
const CONNECT_MS = 5_000;
/** Milliseconds after which a request fails if the store sends no byte. */
const SILENT_MS = 20_000;
/** Minimum size in bytes of one part of an upload. An upload holds one part in memory. */
const PART_BYTES = 8 * 2 ** 20;
/** Maximum number of parts of one upload. Stores refuse uploads with more parts. */
const MAX_PARTS = 10_000;

/** Loads the modules of the client. Only a service that uses an S3 store loads them. */
async function loadClient() {
  const [client, upload] = await Promise.all([import('@aws-sdk/client-s3'), import('@aws-sdk/lib-storage')]);
  return { ...client, Upload: upload.Upload };
}

type Library = Awaited<ReturnType<typeof loadClient>>;

/** Files of recordings in a store that is compatible with Amazon S3, below the key `prefix/id/`. */
export class S3Blobs implements RecordingBlobs {
  private constructor(
    private readonly library: Library,
    private readonly client: S3Client,
    private readonly address: S3Address,
  ) {}

  /** Loads the client. The client takes its credentials from the environment or the machine's role. */
  static async open(address: S3Address): Promise<S3Blobs> {
    const library = await loadClient();
    const { region, endpoint } = address;
    const client = new library.S3Client({
      region,
      // Stores other than Amazon S3 may not have a host name for each bucket, and may not support the newer
      // checksums.
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENT_MS },
      maxAttempts: 2,
    });
    return new S3Blobs(library, client, address);
  }

  async size(id: string, name: string): Promise<number | undefined> {
    try {
      const { ContentLength } = await this.client.send(
        new this.library.HeadObjectCommand(this.#place(id, name)),
      );
      return ContentLength;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    // The answer to a HEAD request has no body, so it does not tell if the file or the bucket is missing.
    await this.#requireBucket();
    return undefined;
  }

  async read(id: string, name: string, start: number, end: number): Promise<Readable> {
    try {
      const { Body } = await this.client.send(
        new this.library.GetObjectCommand({ ...this.#place(id, name), Range: `bytes=${start}-${end}` }),
      );
      if (Body instanceof Readable) return Body;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    throw new MissingBlobError(id, name);
  }

  /** Uploads the local file at `path`. */
  async put(id: string, name: string, path: string): Promise<void> {
    const { size } = await stat(path);
    const partSize = Math.max(PART_BYTES, Math.ceil(size / (MAX_PARTS - 1)));
    const body = createReadStream(path);
    try {
      const params = { ...this.#place(id, name), Body: body };
      await new this.library.Upload({ client: this.client, params, partSize, queueSize: 1 }).done();
    } finally {
      body.destroy();
    }
  }

  async remove(id: string): Promise<void> {
    const { ListObjectsV2Command, DeleteObjectCommand } = this.library;
    const { bucket: Bucket, prefix } = this.address;
    const { Contents = [] } = await this.client.send(
      new ListObjectsV2Command({ Bucket, Prefix: `${prefix}${id}/` }),
    );
    for (const { Key } of Contents) await this.client.send(new DeleteObjectCommand({ Bucket, Key }));
  }

  close(): void {
    this.client.destroy();
  }

  /** Rejects if the bucket does not exist. Resolves if the credentials do not allow this check. */
  async #requireBucket(): Promise<void> {
    const { bucket: Bucket } = this.address;
    try {
      await this.client.send(new this.library.HeadBucketCommand({ Bucket }));
    } catch (error) {
      // Some stores refuse this request if the credentials allow only the use of objects.
      if (statusOf(error) === 403) return;
      if (!isMissing(error)) throw error;
      throw new Error(`The bucket ${Bucket} of RECORDINGS_URL does not exist.`, { cause: error });
    }
  }

  #place(id: string, name: string): { Bucket: string; Key: string } {
    return { Bucket: this.address.bucket, Key: `${this.address.prefix}${id}/${name}` };
  }
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

function isMissing(error: unknown): boolean {
  const { name } = error as { name?: unknown };
  // A missing bucket does not count as a missing file, because it means a wrong configuration. The error of a
  // HEAD request has the same name for a missing bucket and a missing file, see `#requireBucket`.
  return name !== 'NoSuchBucket' && statusOf(error) === 404;
}

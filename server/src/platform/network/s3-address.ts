/** Place of recordings in a store that is compatible with Amazon S3. */
export interface S3Address {
  bucket: string;
  /** Beginning of all keys: empty, or ends with a slash. */
  prefix: string;
  region: string;
  /** Address of the store. Undefined for Amazon S3. */
  endpoint: string | undefined;
}

/** Form of bucket names that all stores accept. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REGION = /^[a-z0-9-]{1,40}$/;
const DEFAULT_REGION = 'us-east-1';

/** Parses `s3://bucket/prefix?region=…&endpoint=…`. Returns undefined for other texts. */
export function parseS3Address(text: string): S3Address | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, host: bucket, pathname, searchParams, username, hash } = new URL(text);
  const { region = DEFAULT_REGION, endpoint, ...others } = Object.fromEntries(searchParams);
  if (protocol !== 's3:' || username || hash || Object.keys(others).length > 0) return undefined;
  if (!BUCKET.test(bucket) || !REGION.test(region)) return undefined;
  if (endpoint !== undefined && !isHttp(endpoint)) return undefined;
  const path = decode(pathname)?.replace(/^\/+|\/+$/g, '');
  return path === undefined ? undefined : { bucket, region, endpoint, prefix: path && `${path}/` };
}

/** Decodes the path of an address. Returns undefined if its percent signs are not followed by valid bytes. */
function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

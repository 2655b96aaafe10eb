import { readdir, readFile, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isTemporary, writeFileAtomic } from '../../platform/files/atomic-file.js';
import { makeDirectory } from '../../platform/files/make-directory.js';
import type { Log } from '../../platform/log.js';
import { Lanes } from '../../platform/time/lanes.js';
import type { ReplayToken, ReplayTokenStore } from '../../sessions/recordings/replay-tokens.js';
import { parseJson } from '../../platform/parse-json.js';

const EXTENSION = '.json';

/**
 * Tokens that give access to single recordings. Keeps them in memory, and in one JSON file for each recording
 * that has tokens. Only one process may use the files.
 */
export class FileReplayTokens implements ReplayTokenStore {
  /** Changes run one after the other, so that no change overwrites the result of another change. */
  readonly #changes = new Lanes(1);

  private constructor(
    private readonly directory: string,
    private readonly tokens: Map<string, readonly ReplayToken[]>,
  ) {}

  /** Reads the existing tokens. If a file does not contain tokens, logs a warning and ignores the file. */
  static async open(root: string, log: Log): Promise<FileReplayTokens> {
    const directory = join(root, 'tokens');
    await makeDirectory(directory);
    const tokens = new Map<string, readonly ReplayToken[]>();
    for (const name of await readdir(directory)) {
      const path = join(directory, name);
      if (isTemporary(name)) {
        await unlink(path);
        continue;
      }
      const list = readTokens(await readFile(path, 'utf8'));
      if (list && name.endsWith(EXTENSION)) tokens.set(name.slice(0, -EXTENSION.length), list);
      else log.warn('a file does not contain the tokens of a recording', { path });
    }
    return new FileReplayTokens(directory, tokens);
  }

  async list(recordingId: string): Promise<ReplayToken[]> {
    return [...(this.tokens.get(recordingId) ?? [])];
  }

  add(recordingId: string, token: ReplayToken, now: Date, limit: number): Promise<boolean> {
    return this.#changes.run(async () => {
      const date = now.toISOString();
      const others = (await this.list(recordingId)).filter(({ expires }) => expires > date);
      if (others.length >= limit) return false;
      await this.#save(recordingId, [...others, token]);
      return true;
    });
  }

  remove(recordingId: string, tokenId: string): Promise<boolean> {
    return this.#changes.run(async () => {
      const all = await this.list(recordingId);
      const others = all.filter(({ id }) => id !== tokenId);
      if (others.length === all.length) return false;
      await this.#save(recordingId, others);
      return true;
    });
  }

  removeAll(recordingId: string): Promise<void> {
    return this.#changes.run(async () => {
      this.tokens.delete(recordingId);
      await rm(this.#path(recordingId), { force: true });
    });
  }

  async #save(recordingId: string, tokens: readonly ReplayToken[]): Promise<void> {
    await writeFileAtomic(this.#path(recordingId), JSON.stringify(tokens));
    this.tokens.set(recordingId, tokens);
  }

  #path(recordingId: string): string {
    return join(this.directory, `${recordingId}${EXTENSION}`);
  }
}

/** Returns undefined if the text is not a list of tokens. */
function readTokens(text: string): ReplayToken[] | undefined {
  const value = parseJson(text);
  return Array.isArray(value) && value.every(isToken) ? value : undefined;
}

function isToken(value: unknown): value is ReplayToken {
  const { id, hash, createdAt, expires } = (value ?? {}) as Partial<Record<keyof ReplayToken, unknown>>;
  return [id, hash, createdAt, expires].every((text) => typeof text === 'string');
}

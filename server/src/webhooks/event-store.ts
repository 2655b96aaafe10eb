import { readdir, readFile, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isTemporary, writeFileAtomic } from '../platform/files/atomic-file.js';
import { makeDirectory } from '../platform/files/make-directory.js';
import { isRecord } from '../platform/is-record.js';
import { parseJson } from '../platform/parse-json.js';
import type { Log } from '../platform/log.js';
import type { WebhookEvent } from '../sessions/ports.js';

/** An event that waits for its delivery. */
export interface StoredEvent extends WebhookEvent {
  /** Unique id. It increases in the order in which events were added. */
  id: string;
  /** RFC 3339, UTC. */
  createdAt: string;
}

/** Storage of waiting events. */
export interface EventStore {
  /** Returns all waiting events, in the order of their ids. */
  all(): Promise<StoredEvent[]>;
  add(event: StoredEvent): Promise<void>;
  remove(id: string): Promise<void>;
  /**
   * Takes over events of nodes that are gone. One call takes over the events of a limited number of sessions,
   * and all events of each session. Returns the events in the order of their ids. Absent if there is only one
   * node.
   */
  takeOver?(): Promise<StoredEvent[]>;
}

/** Reads an event from JSON. Returns undefined if the text is not an event. */
export function readEvent(text: string): StoredEvent | undefined {
  const value = parseJson(text);
  return isEvent(value) ? value : undefined;
}

function isEvent(value: unknown): value is StoredEvent {
  if (!isRecord(value)) return false;
  const { id, createdAt, sessionId, url, bearer } = value;
  if (bearer !== null && typeof bearer !== 'string') return false;
  return [id, createdAt, sessionId, url].every((text) => typeof text === 'string');
}

/**
 * Stores each event in its own file. Writes are atomic. Only the service's user can read the files, because
 * they contain bearer tokens.
 */
export class FileEventStore implements EventStore {
  private constructor(
    private readonly directory: string,
    private readonly log: Log,
  ) {}

  static async open(stateDir: string, log: Log): Promise<FileEventStore> {
    const directory = join(stateDir, 'events');
    await makeDirectory(directory);
    return new FileEventStore(directory, log);
  }

  async all(): Promise<StoredEvent[]> {
    const events: StoredEvent[] = [];
    for (const name of (await readdir(this.directory)).sort()) {
      const path = join(this.directory, name);
      if (isTemporary(name)) {
        await unlink(path);
        continue;
      }
      try {
        const event = readEvent(await readFile(path, 'utf8'));
        if (event) events.push(event);
        else this.log.warn('a file does not contain a webhook event', { path });
      } catch (error) {
        this.log.warn('could not read a stored webhook event', { path, error });
      }
    }
    return events;
  }

  add(event: StoredEvent): Promise<void> {
    return writeFileAtomic(this.#path(event.id), JSON.stringify(event));
  }

  remove(id: string): Promise<void> {
    return rm(this.#path(id), { force: true });
  }

  #path(id: string): string {
    return join(this.directory, `${id}.json`);
  }
}

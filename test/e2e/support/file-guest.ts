import assert from 'node:assert/strict';
import { CallError, type CloudBrowserClient } from '../../../src/core/index.js';
import type { Download, FileChooser } from '../../../src/protocol/index.js';
import { Hands } from './hands.js';
import { connectClient } from './sdk-client.js';
import type { Session } from './service.js';
import { until } from './until.js';

const isForbidden = (error: unknown): boolean => error instanceof CallError && error.code === 'err_forbidden';

/** A user with the roles for files, and the events that the session sent. */
export class Guest {
  readonly choosers: FileChooser[] = [];
  readonly closed: string[] = [];
  readonly downloads = new Map<string, Download>();
  readonly hands: Hands;

  private constructor(readonly client: CloudBrowserClient) {
    this.hands = new Hands(client);
  }

  /** Creates a user without listeners. */
  static async silent(session: Session): Promise<Guest> {
    return new Guest(await connectClient(session));
  }

  static async enter(session: Session): Promise<Guest> {
    const guest = await Guest.silent(session);
    const { files } = guest.client;
    await files.onChooser.addListener((chooser) => guest.choosers.push(chooser));
    await files.onChooserClosed.addListener((id) => guest.closed.push(id));
    await files.onDownload.addListener((download) => guest.downloads.set(download.id, download));
    // Is refused to a user without the role. After the answer, pages can offer files.
    await files.list().catch((error: unknown) => assert.ok(isForbidden(error)));
    return guest;
  }

  /** Clicks, and resolves to the file chooser that the page opens. */
  async asked([x, y]: readonly [number, number]): Promise<FileChooser> {
    const before = this.choosers.length;
    this.hands.click(x, y);
    return until('the page asks for files', () => this.choosers[before]);
  }

  /** Resolves to a download when it is complete or has failed. */
  async downloaded(name: string): Promise<Download> {
    return until(`${name} is over`, () =>
      [...this.downloads.values()].find((download) => download.name === name && download.state !== 'running'),
    );
  }

  async fetch(download: Download): Promise<Response> {
    return fetch(await this.client.files.url(download.id));
  }
}

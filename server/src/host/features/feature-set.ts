import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { InputEvent } from 'cloud-browser/protocol';
import type { AutomationHandover, RecordingMessage } from '../../host-protocol.js';
import type { Viewer } from '../room/viewers/viewer.js';
import type { Feature, FeatureBrowser, FeatureParts } from './feature.js';
import { FEATURES } from './index.js';

/** All features of a session. Passes each event of the session to the features, and stops them at the end. */
export class FeatureSet {
  readonly list: readonly Feature[];

  constructor(parts: FeatureParts) {
    this.list = FEATURES.map((make) => make(parts));
  }

  /** Gives the features a browser that was started. */
  browserStarted(browser: FeatureBrowser): void {
    for (const feature of this.list) feature.browserStarted?.(browser);
  }

  /** Informs the features that the browser has ended. */
  browserIsGone(): void {
    for (const feature of this.list) feature.browserIsGone?.();
  }

  /** Informs the features about a user's accepted input. */
  userActed(viewer: Viewer, event: InputEvent): void {
    for (const feature of this.list) feature.userActed?.(viewer, event);
  }

  /** Gives the features a channel. The service sends its requests for files over it. */
  serveFiles(channel: Duplex): void {
    for (const feature of this.list) feature.serveFiles?.(channel);
  }

  /**
   * Takes over the connection of a program that drives the browser over the DevTools protocol. Closes the
   * connection if no feature accepts programs.
   */
  takeProgram(client: AutomationHandover, socket: Socket): void {
    const feature = this.list.find((one) => one.takeProgram !== undefined);
    if (feature) feature.takeProgram?.(client, socket);
    else socket.destroy();
  }

  /** True while a feature uses the browser, even if no viewer is connected. */
  get busy(): boolean {
    return this.list.some(({ busy }) => busy === true);
  }

  /** True if a feature needs sound now. */
  get listens(): boolean {
    return this.list.some(({ listens }) => listens === true);
  }

  /** Gives the features an encoded packet of sound. */
  soundCame(packet: Uint8Array): void {
    for (const feature of this.list) feature.soundCame?.(packet);
  }

  /** Gives the features a message of the service about a recording. */
  takeRecordingMessage(message: RecordingMessage): void {
    for (const feature of this.list) feature.takeRecordingMessage?.(message);
  }

  /**
   * Stops all features. Begins with the last feature, and does not wait for one feature before it stops the
   * next. Resolves when all have stopped.
   */
  async stop(): Promise<void> {
    await Promise.all(
      [...this.list].reverse().map(async (feature) => {
        await feature.stop?.();
      }),
    );
  }
}

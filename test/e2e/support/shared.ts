import type { Browser } from 'playwright';
import { atEnd, atProcessEnd } from './cleanup.js';
import { Service } from './service.js';
import { launchBrowser } from './viewers.js';

let service: Promise<Service> | undefined;
let browser: Promise<Browser> | undefined;

/**
 * A service with default settings, the same one for all test files of a process: one takes seconds to start. A file's
 * sessions end with the file, so that each finds the service without any. Those that end the service itself, or look at what
 * it has kept, start their own.
 */
export async function sharedService(): Promise<Service> {
  service ??= Service.start({}, atProcessEnd);
  const shared = await service;
  atEnd(() => shared.endAll());
  return shared;
}

/** A headless Chromium for viewers, the same one for all test files of a process; a file's windows close with the file. */
export async function sharedBrowser(): Promise<Browser> {
  browser ??= launchBrowser(atProcessEnd).then((launched) => launched.browser);
  const shared = await browser;
  atEnd(() => Promise.all(shared.contexts().map((context) => context.close())));
  return shared;
}

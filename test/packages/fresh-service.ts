import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Service } from '../e2e/support/service.js';
import { serviceEnvironment } from '../support/service-environment.js';
import { INSTALL } from './fresh-project.js';
import { run } from './support.js';

const KEY = 'fresh';

/** The packed service, installed into an empty folder and started by npx. */
export class FreshService {
  private constructor(
    readonly url: string,
    private readonly end: () => Promise<void>,
  ) {}

  /** Rejects with the output of npm or of the service if one of them fails. */
  static async start(folder: string, tarball: string): Promise<FreshService> {
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    await run('npm', [...INSTALL, tarball], folder);
    const npx = spawn('npx', ['--no-install', 'cloud-browser'], {
      cwd: folder,
      env: {
        ...serviceEnvironment(folder, KEY, Service.uidBase),
        // Those of npx.
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        DRAIN_SECONDS: '0',
      },
    });
    let said = '';
    // Also of the service, which has npx's output: the end of both.
    const over = once(npx, 'close');
    const ready = new Promise<string>((resolve) => {
      for (const stream of [npx.stdout, npx.stderr])
        stream.on('data', (text) => {
          said += String(text);
          const [, url] = /ready: (http:\/\/[^\s/]+)/.exec(said) ?? [];
          if (url) resolve(url);
        });
    });
    const failed = over.then(() => Promise.reject(new Error(`${said}\nThe service ended at once.`)));
    const url = await Promise.race([ready, failed]);
    failed.catch(() => undefined);
    return new FreshService(url, async () => {
      npx.kill('SIGTERM');
      await over;
    });
  }

  /** Ends npx, and the service with it. */
  stop(): Promise<void> {
    return this.end();
  }

  /** Starts a session that shows a page. Resolves to its embed URL. */
  async embedUrl(page: string): Promise<string> {
    const response = await fetch(`${this.url}/v0/vm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
      body: JSON.stringify({ start_url: page, kiosk: true, width: 640, height: 360 }),
    });
    if (response.status !== 200) throw new Error(`The service answered ${response.status}.`);
    return ((await response.json()) as { embed_url: string }).embed_url;
  }
}

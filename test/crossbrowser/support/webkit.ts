import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { ManagedProcess } from '../../../server/src/platform/process/child-process.js';
import { until } from '../../e2e/support/until.js';
import { WINDOW, type Guest } from './guest.js';

const DRIVER = '/usr/bin/WebKitWebDriver';

/** Milliseconds that one command may take on a busy machine. */
const COMMAND_TIMEOUT_MS = 60_000;

/** The key as WebDriver writes it. */
const CONTROL = '\uE009';

/** Runs the body of an async function and gives its outcome to the driver, which knows callbacks only. */
const wrapped = (body: string) => `
  const done = arguments[arguments.length - 1];
  (async () => { ${body} })().then((value) => done({ value }), (error) => done({ error: String(error) }));`;

/** WebKitGTK's own small browser, by WebDriver (W3C) over HTTP. It needs a display. */
export class WebKitGuest implements Guest {
  private constructor(
    private readonly driver: ManagedProcess,
    private readonly session: string,
  ) {}

  static async launch(env: Record<string, string>): Promise<WebKitGuest> {
    const port = await freePort();
    const driver = ManagedProcess.start({
      name: 'WebKitWebDriver',
      command: DRIVER,
      args: [`--port=${port}`],
      env,
    });
    const url = `http://127.0.0.1:${port}`;
    try {
      await until('WebKitWebDriver answers', () => {
        if (!driver.running) throw new Error(`WebKitWebDriver ended at once.\n${driver.logTail}`);
        return fetch(`${url}/status`).then(
          ({ ok }) => ok,
          () => false,
        );
      });
      // Without capabilities the driver starts its own MiniBrowser.
      const { sessionId } = (await command('POST', `${url}/session`, { capabilities: {} })) as {
        sessionId: string;
      };
      const guest = new WebKitGuest(driver, `${url}/session/${sessionId}`);
      await guest.#send('timeouts', { script: COMMAND_TIMEOUT_MS, pageLoad: COMMAND_TIMEOUT_MS });
      await guest.#send('window/rect', { x: 0, y: 0, width: WINDOW.width, height: WINDOW.height });
      return guest;
    } catch (error) {
      await driver.stop();
      throw error;
    }
  }

  async goto(url: string): Promise<void> {
    await this.#send('url', { url });
    // The driver does not wait for a page's modules.
    await this.run(
      `while (document.readyState !== 'complete') await new Promise((resolve) => setTimeout(resolve, 10));`,
    );
  }

  async run(body: string): Promise<unknown> {
    const outcome = await this.#send('execute/async', { script: wrapped(body), args: [] });
    const { value, error } = outcome as { value?: unknown; error?: string };
    if (error !== undefined) throw new Error(error);
    return value;
  }

  async click(x: number, y: number): Promise<void> {
    const move = { type: 'pointerMove', x, y, duration: 0 };
    const press = [
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.#act({ type: 'pointer', id: 'mouse', actions: [move, ...press] });
  }

  async wheel(x: number, y: number, deltaY: number): Promise<void> {
    const scroll = { type: 'scroll', x, y, deltaX: 0, deltaY, duration: 0, origin: 'viewport' };
    await this.#act({ type: 'wheel', id: 'wheel', actions: [scroll] });
    // The driver scrolls by the difference from the last scroll until its state is reset. The reset scrolls
    // back, at the window's corner, which a picture may fill.
    await this.run(`addEventListener('wheel', (turn) => {
      if (turn.clientX === 0 && turn.clientY === 0) turn.stopImmediatePropagation();
    }, true)`);
    await command('DELETE', `${this.session}/actions`);
  }

  async type(text: string): Promise<void> {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.#act({ type: 'key', id: 'keyboard', actions });
  }

  async pressControl(letter: string): Promise<void> {
    const actions = [
      { type: 'keyDown', value: CONTROL },
      { type: 'keyDown', value: letter },
      { type: 'keyUp', value: letter },
      { type: 'keyUp', value: CONTROL },
    ];
    await this.#act({ type: 'key', id: 'keyboard', actions });
  }

  async close(): Promise<void> {
    // The driver itself ends a session whose page hung.
    await command('DELETE', this.session).catch(() => undefined);
    await this.driver.stop();
  }

  async #act(source: object): Promise<void> {
    await this.#send('actions', { actions: [source] });
  }

  async #send(path: string, body: object): Promise<unknown> {
    return command('POST', `${this.session}/${path}`, body);
  }
}

/** A loopback port on which no process listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Sends one WebDriver command; rejects with the driver's own message. */
async function command(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(2 * COMMAND_TIMEOUT_MS),
    ...(body && { body: JSON.stringify(body) }),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (!response.ok) throw new Error(`${method} ${url}: ${JSON.stringify(value).slice(0, 500)}`);
  return value;
}

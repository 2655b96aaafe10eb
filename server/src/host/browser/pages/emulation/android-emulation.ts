import type { Protocol } from 'devtools-protocol';
import type { CdpConnection } from '../../cdp/cdp-connection.js';
import type { CdpSession } from '../../cdp/cdp-session.js';
import type { Preparation } from '../../cdp/targets.js';

/** Number of fingers that most phones detect. */
const MAX_TOUCH_POINTS = 5;
/**
 * Values that Chrome reports on every Android phone since it reduced its user agent. Source: chromium.org,
 * "User-Agent Reduction".
 */
const PLATFORM = 'Linux armv81';
const PLATFORM_VERSION = '10.0.0';
const MODEL = 'K';
/** Timeout for a worker to run the script. The worker is paused until then. */
const WORKER_TIMEOUT_MS = 3_000;

/** Presents the browser to all pages and their workers as Chrome on an Android phone. */
export class AndroidEmulation implements Preparation {
  readonly workers = true;

  private constructor(private readonly version: string) {}

  static async create(cdp: CdpConnection): Promise<AndroidEmulation> {
    const { product } = await cdp.browser.send('Browser.getVersion', {});
    return new AndroidEmulation(product.split('/')[1] ?? '');
  }

  async apply(target: CdpSession, type: string): Promise<void> {
    const steps: Promise<unknown>[] = [target.prepare('Emulation.setUserAgentOverride', this.#userAgent())];
    if (type === 'page') {
      const touch = { enabled: true, maxTouchPoints: MAX_TOUCH_POINTS };
      // With zeros, the page keeps the size of the window.
      const metrics = { width: 0, height: 0, deviceScaleFactor: 0, mobile: true };
      steps.push(
        target.prepare('Emulation.setDeviceMetricsOverride', metrics),
        target.prepare('Emulation.setTouchEmulationEnabled', touch),
        // A phone has no mouse. So a viewer's mouse sends touches.
        target.prepare('Emulation.setEmitTouchEventsForMouse', { enabled: true, configuration: 'mobile' }),
      );
    }
    if (type.endsWith('worker'))
      steps.push(target.send('Runtime.evaluate', { expression: this.#workerScript() }, WORKER_TIMEOUT_MS));
    await Promise.allSettled(steps);
  }

  /**
   * Returns a script for workers. In a worker, CDP's override changes only the request headers and the client
   * hints, not `navigator`.
   */
  #workerScript(): string {
    const userAgent = this.#userAgentText();
    const values = { userAgent, appVersion: userAgent.replace('Mozilla/', ''), platform: PLATFORM };
    return `for (const [name, value] of Object.entries(${JSON.stringify(values)}))
      Object.defineProperty(WorkerNavigator.prototype, name, { get: () => value, enumerable: true, configurable: true });`;
  }

  get #major(): string {
    return this.version.split('.')[0] ?? '';
  }

  #userAgentText(): string {
    return `Mozilla/5.0 (Linux; Android 10; ${MODEL}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${this.#major}.0.0.0 Mobile Safari/537.36`;
  }

  #userAgent(): Protocol.Emulation.SetUserAgentOverrideRequest {
    const major = this.#major;
    const brands = (version: string) => [
      { brand: 'Not:A-Brand', version: version === major ? '8' : '8.0.0.0' },
      { brand: 'Chromium', version },
      { brand: 'Google Chrome', version },
    ];
    return {
      userAgent: this.#userAgentText(),
      platform: PLATFORM,
      userAgentMetadata: {
        brands: brands(major),
        fullVersionList: brands(this.version),
        platform: 'Android',
        platformVersion: PLATFORM_VERSION,
        architecture: '',
        bitness: '',
        wow64: false,
        model: MODEL,
        mobile: true,
      },
    };
  }
}

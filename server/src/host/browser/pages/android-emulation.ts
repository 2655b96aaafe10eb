import type { CdpConnection } from '../cdp/cdp-connection.js';

const MAX_TOUCH_POINTS = 5;
/** What Chrome tells of every Android phone since it tells less. Source: chromium.org, "User-Agent Reduction". */
const PLATFORM = 'Linux armv81';
const PLATFORM_VERSION = '10.0.0';
const MODEL = 'K';

/** Targets that run scripts of pages: each has a user agent of its own. */
const SCRIPT_TARGETS = ['page', 'iframe', 'worker', 'shared_worker', 'service_worker'];

/** Makes the browser show itself, to all pages and their workers, as Chrome on an Android phone. */
export class AndroidEmulation {
  /** The kinds of targets that {@link dress} wants to see before they run. */
  readonly targets = SCRIPT_TARGETS.map((type) => ({ type }));

  private constructor(
    private readonly cdp: CdpConnection,
    private readonly version: string,
  ) {}

  static async create(cdp: CdpConnection): Promise<AndroidEmulation> {
    const { product } = await cdp.send('Browser.getVersion');
    return new AndroidEmulation(cdp, String(product).split('/')[1] ?? '');
  }

  /** To be done to every target before it runs. Frames and workers of other processes are followed from here. */
  async dress(sessionId: string, type: string): Promise<void> {
    const steps: [string, object][] = [['Emulation.setUserAgentOverride', this.#userAgent()]];
    if (type === 'page') {
      steps.push(
        // The size stays that of the window.
        ['Emulation.setDeviceMetricsOverride', { width: 0, height: 0, deviceScaleFactor: 0, mobile: true }],
        ['Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: MAX_TOUCH_POINTS }],
        // A phone has no mouse: what a viewer's mouse does is done by a finger.
        ['Emulation.setEmitTouchEventsForMouse', { enabled: true, configuration: 'mobile' }],
      );
    }
    if (type.endsWith('worker')) steps.push(['Runtime.evaluate', { expression: this.#workerScript() }]);
    if (type === 'page' || type === 'iframe') {
      steps.push([
        'Target.setAutoAttach',
        {
          autoAttach: true,
          waitForDebuggerOnStart: true,
          flatten: true,
          filter: [{ type: 'iframe' }, { type: 'worker' }, { exclude: true }],
        },
      ]);
    }
    await Promise.all(
      steps.map(([method, params]) => this.cdp.send(method, params, sessionId).catch(() => undefined)),
    );
  }

  /** The override reaches of a worker only what it sends and its client hints. */
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

  #userAgent(): object {
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

/**
 * Default timeout. The browser executes most commands within milliseconds. The remaining time is for busy
 * machines.
 */
const DEFAULT_TIMEOUT_MS = 5_000;
/**
 * Timeout for commands that send input to a page or ask it a short question. The page's event listeners may
 * run during these commands, and the input of all users waits.
 */
const INPUT_TIMEOUT_MS = 250;
/**
 * Timeout for preparing a new page. The page waits meanwhile. After the timeout it runs without the settings
 * that were not accepted in time.
 */
const EMULATION_TIMEOUT_MS = 3_000;

const TIMEOUTS: ReadonlyMap<string, number> = new Map([
  // The first command: the browser answers when it has started.
  ['Browser.getVersion', 30_000],
  // Reads the extension's files and starts its worker.
  ['Extensions.loadUnpacked', 15_000],
  // Answered when the web server has answered.
  ['Page.navigate', 120_000],
  ['Runtime.evaluate', INPUT_TIMEOUT_MS],
  ['Browser.getWindowForTarget', INPUT_TIMEOUT_MS],
  ['Input.insertText', INPUT_TIMEOUT_MS],
  ['Input.imeSetComposition', INPUT_TIMEOUT_MS],
  ['Input.dispatchKeyEvent', INPUT_TIMEOUT_MS],
  ['Emulation.setUserAgentOverride', EMULATION_TIMEOUT_MS],
  ['Emulation.setDeviceMetricsOverride', EMULATION_TIMEOUT_MS],
  ['Emulation.setTouchEmulationEnabled', EMULATION_TIMEOUT_MS],
  ['Emulation.setEmitTouchEventsForMouse', EMULATION_TIMEOUT_MS],
  ['Target.setAutoAttach', EMULATION_TIMEOUT_MS],
]);

/** Returns the timeout of a command, in milliseconds. */
export function timeoutOf(method: string): number {
  return TIMEOUTS.get(method) ?? DEFAULT_TIMEOUT_MS;
}

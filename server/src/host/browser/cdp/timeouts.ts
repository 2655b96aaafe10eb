/** Most commands are done by the browser itself within milliseconds; this allows for a machine that is busy. */
const DEFAULT_TIMEOUT_MS = 5_000;
/** What input asks of a page, or gives to it: that runs the page's own event listeners. All users' input waits meanwhile. */
const INPUT_TIMEOUT_MS = 250;
/** A new page is held back meanwhile, and runs without what did not answer after that. */
const EMULATION_TIMEOUT_MS = 3_000;

const TIMEOUTS: ReadonlyMap<string, number> = new Map([
  // The first command: answered when the browser has started.
  ['Browser.getVersion', 30_000],
  // Reads the extension's files and starts its worker.
  ['Extensions.loadUnpacked', 15_000],
  // Answered when the address's server has.
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

/** How long a command's answer is waited for, in milliseconds. */
export function timeoutOf(method: string): number {
  return TIMEOUTS.get(method) ?? DEFAULT_TIMEOUT_MS;
}

const NAVIGATION = new Set([
  'Page.close',
  'Page.navigate',
  'Page.navigateToHistoryEntry',
  'Page.reload',
  'Target.closeTarget',
  'Target.createTarget',
]);
const PICTURES = new Set(['Page.captureScreenshot', 'Page.captureSnapshot', 'Page.printToPDF']);
const BY_DOMAIN: Readonly<Record<string, string>> = {
  Accessibility: 'document',
  CloudBrowser: 'person',
  CSS: 'document',
  DOM: 'document',
  DOMSnapshot: 'document',
  Fetch: 'network',
  Input: 'input',
  Network: 'network',
  Runtime: 'script',
  Target: 'targets',
};

/**
 * Returns the class of a method, for example `input`. The metrics for operators count commands by class.
 * There are few classes, so the metrics stay small.
 */
export function classOf(method: string): string {
  if (NAVIGATION.has(method)) return 'navigation';
  if (PICTURES.has(method)) return 'picture';
  const [domain = ''] = method.split('.', 1);
  return Object.hasOwn(BY_DOMAIN, domain) ? (BY_DOMAIN[domain] ?? 'other') : 'other';
}

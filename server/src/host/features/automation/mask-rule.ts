import type { MethodRow } from './methods/method-row.js';

const REASON =
  'The session has masked fields, and this method could read them or write to them. Ask an admin for the ' +
  'role field_masking, or use the computer calls, which check each field.';

/** Domains whose methods do not read or write fields of pages. {@link UNSAFE} has the exceptions. */
const SAFE_DOMAINS = new Set([
  'Browser',
  'CloudBrowser',
  'Emulation',
  'IO',
  'Inspector',
  'Log',
  'Performance',
  'Storage',
]);
/**
 * Methods of the safe domains that are refused. A page can write into a cookie what a user has typed into a
 * masked field. With the cookies of a login, a program could also act as the user after it has left the
 * session. `Network.getCookies` is refused too. A program may still set and remove cookies.
 */
const UNSAFE = new Set(['Emulation.setScriptExecutionDisabled', 'Storage.getCookies']);
/** Methods that the relay answers itself, and that write to a field or read scripts of a page. */
const OWN_UNSAFE = new Set(['DOM.setFileInputFiles', 'Debugger.enable']);
/** Methods of other domains that do not read or write fields of pages. */
const SAFE = new Set([
  'Page.bringToFront',
  'Page.close',
  'Page.createIsolatedWorld',
  'Page.disable',
  'Page.enable',
  'Page.getFrameTree',
  'Page.getLayoutMetrics',
  'Page.getNavigationHistory',
  'Page.handleJavaScriptDialog',
  'Page.navigate',
  'Page.navigateToHistoryEntry',
  'Page.reload',
  'Page.removeScriptToEvaluateOnNewDocument',
  'Page.setLifecycleEventsEnabled',
  'Page.stopLoading',
  'Runtime.disable',
  'Runtime.enable',
  'Runtime.releaseObject',
  'Runtime.releaseObjectGroup',
  'Runtime.runIfWaitingForDebugger',
  'Schema.getDomains',
]);
/**
 * Methods that Playwright and Puppeteer call for each page. Without an answer, these tools cannot open the
 * page. The relay answers these methods but does not perform them, because the events of their domains
 * contain data that a page sends or shows.
 */
const WITHOUT_EFFECT = new Set(['DOM.enable', 'Network.enable', 'Network.setCacheDisabled']);

/**
 * Returns the decision about a command of a program without the role for masked fields. `performed`: the
 * relay performs the command, as for other programs. `answered`: the relay answers without an effect.
 * `reason`: the relay refuses the command for this reason. The relay performs only methods that are known not
 * to read or write fields. It refuses scripts, because a script can reach every field of its page.
 */
export function maskRule(
  method: string,
  params: Readonly<Record<string, unknown>>,
  { kind }: MethodRow,
): 'performed' | 'answered' | { reason: string } {
  if (OWN_UNSAFE.has(method)) return { reason: `${method}: ${REASON}` };
  if (kind !== 'forwarded' || SAFE.has(method)) return 'performed';
  if (WITHOUT_EFFECT.has(method)) return 'answered';
  // Playwright adds an empty script to create its isolated world in every frame.
  if (method === 'Page.addScriptToEvaluateOnNewDocument' && params['source'] === '') return 'performed';
  const [domain = ''] = method.split('.', 1);
  return SAFE_DOMAINS.has(domain) && !UNSAFE.has(method) ? 'performed' : { reason: `${method}: ${REASON}` };
}

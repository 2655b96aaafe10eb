/** Methods that continue or end a paused request. None of them waits for control. */
const REQUEST_ENDINGS = [
  'Fetch.continueRequest',
  'Fetch.continueResponse',
  'Fetch.continueWithAuth',
  'Fetch.failRequest',
  'Fetch.fulfillRequest',
];
/**
 * Methods that let a page continue which waits for the program. An earlier command of the program may wait
 * for this page, so these methods pass earlier commands. They name a request, a dialog or a target that the
 * browser has already reported, so earlier commands do not change their effect.
 */
const LET_GO: ReadonlySet<string> = new Set([
  ...REQUEST_ENDINGS,
  'Page.handleJavaScriptDialog',
  'Runtime.runIfWaitingForDebugger',
  'Runtime.terminateExecution',
]);

/** True for methods that let a page continue which waits for the program. */
export function letsGo(method: string): boolean {
  return LET_GO.has(method);
}

/** True for methods that continue or end a paused request. */
export function endsRequest(method: string): boolean {
  return REQUEST_ENDINGS.includes(method);
}

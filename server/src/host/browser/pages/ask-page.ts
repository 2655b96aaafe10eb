import { CdpError, type CdpSession } from '../cdp/cdp-session.js';

/**
 * Evaluates an expression in a page. Rejects if the page has a dialog open or does not answer.
 *
 * @param urgent true if the input of users waits for the answer
 */
export async function askPage(page: CdpSession, expression: string, urgent = true): Promise<unknown> {
  if (page.inDialog) throw new CdpError('Runtime.evaluate', 'dialog');
  // A page could redefine the values that the expression reads. An isolated world would prevent that, but it
  // costs a round trip per page. A page gains nothing by false values. At most it receives text that its own
  // user typed.
  const question = { expression, returnByValue: true };
  const { result } = urgent
    ? await page.sendUrgent('Runtime.evaluate', question)
    : await page.send('Runtime.evaluate', question);
  return result.value;
}

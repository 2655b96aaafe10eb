import type { CdpSession } from '../cdp/cdp-session.js';

/** Timeout for printing. A page of a thousand sheets takes this long on a busy machine. */
const PRINT_TIMEOUT_MS = 60_000;
const READ_TIMEOUT_MS = 10_000;
/** Size of a part. The browser sends a part as Base64 in one message. */
const PART_BYTES = 256 * 1024;
const TITLE = 'document.title.slice(0, 200)';

/** Returns the page as a PDF, part by part. Rejects with `CdpError`. */
export async function* printPage(page: CdpSession): AsyncGenerator<Buffer> {
  const options = { transferMode: 'ReturnAsStream', preferCSSPageSize: true } as const;
  const { stream: handle } = await page.send('Page.printToPDF', options, PRINT_TIMEOUT_MS);
  if (handle === undefined) return;
  try {
    for (;;) {
      const part = await page.send('IO.read', { handle, size: PART_BYTES }, READ_TIMEOUT_MS);
      if (part.data !== '') yield Buffer.from(part.data, part.base64Encoded ? 'base64' : 'utf8');
      if (part.eof) return;
    }
  } finally {
    page.post('IO.close', { handle });
  }
}

/** Returns the title of a page; empty if the page does not answer. */
export async function titleOf(page: CdpSession): Promise<string> {
  if (page.inDialog) return '';
  const asked = page.sendUrgent('Runtime.evaluate', { expression: TITLE, returnByValue: true });
  const { value } = await asked.then(
    ({ result }) => ({ value: result.value as unknown }),
    () => ({ value: '' }),
  );
  return typeof value === 'string' ? value : '';
}

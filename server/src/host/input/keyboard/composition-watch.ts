import { randomUUID } from 'node:crypto';
import type { CdpSession } from '../../browser/cdp/cdp-session.js';
import type { Pages } from '../../browser/pages/pages.js';

/**
 * Timeout for a page's answer, in milliseconds. After this time, the unfinished text (text that a user is
 * still composing) stays as it is. The input of all users waits for the answer.
 */
const ANSWER_TIMEOUT_MS = 250;

/**
 * Script for a page and its out-of-process frames. In the page or frame with the keyboard focus, the script
 * returns a function that checks if the unfinished text is still in front of the caret of the same field.
 * Elsewhere it returns undefined. This check is necessary, because pages may empty fields and move the focus
 * while a user composes. When the field loses the focus, the browser itself finishes the text.
 */
const WATCH = `((text) => {
  const focused = () => {
    let field = document.activeElement;
    for (let next = field; next; next = (field.shadowRoot ?? field.contentDocument)?.activeElement) field = next;
    return field;
  };
  const field = document.hasFocus() ? focused() : undefined;
  if (!field || /^i?frame$/.test(field.localName)) return undefined;
  const beforeCaret = () => {
    if (typeof field.value === 'string') return field.value.slice(0, field.selectionEnd ?? undefined);
    const root = field.getRootNode();
    const { focusNode, focusOffset } = (root.getSelection ? root : field.ownerDocument).getSelection() ?? {};
    return focusNode instanceof field.ownerDocument.defaultView.Text ? focusNode.data.slice(0, focusOffset) : '';
  };
  // Editors replace a space at the end of a line by a non-breaking space.
  const plain = (shown) => shown.replaceAll('\\u00a0', ' ');
  const isThere = (text) => focused() === field && plain(beforeCaret()).endsWith(plain(text));
  let over = !isThere(text);
  for (const type of ['focusout', 'compositionend'])
    field.ownerDocument.addEventListener(type, () => (over = true), { capture: true, once: true });
  return (text) => !over && isThere(text);
})`;

/** Field in which unfinished text was seen. */
interface Seen {
  session: CdpSession;
  objectId: string;
  /** Group of the objects that the browser keeps for this field until the host releases the group. */
  objectGroup: string;
}

/**
 * Watches the field in which a user composes text. The host may finish the text only if the text is still in
 * that field.
 */
export class CompositionWatch {
  #seen: Promise<Seen | undefined> | undefined;

  constructor(private readonly pages: Pick<Pages, 'frames'>) {}

  /** Records the field that contains the unfinished text. Returns without waiting for the page. */
  note(page: CdpSession, text: string): void {
    this.forget();
    this.#seen = this.#find(page, text);
  }

  forget(): void {
    const seen = this.#seen;
    this.#seen = undefined;
    void seen?.then((found) => {
      if (found) found.session.post('Runtime.releaseObjectGroup', { objectGroup: found.objectGroup });
    });
  }

  /** Resolves to true if the text is still in that field, unfinished. */
  async isThere(text: string): Promise<boolean> {
    const seen = await this.#seen;
    if (!seen || seen.session.inDialog) return false;
    const call = {
      objectId: seen.objectId,
      functionDeclaration: 'function (text) { return this(text) }',
      arguments: [{ value: text }],
      returnByValue: true,
    };
    const answer = await seen.session
      .send('Runtime.callFunctionOn', call, ANSWER_TIMEOUT_MS)
      .catch(() => undefined);
    return answer?.result.value === true;
  }

  async #find(page: CdpSession, text: string): Promise<Seen | undefined> {
    const inPage = await ask(page, text);
    if (inPage) return inPage;
    const inFrames = await Promise.all(this.pages.frames.map((frame) => ask(frame, text)));
    return inFrames.find((seen) => seen !== undefined);
  }
}

async function ask(session: CdpSession, text: string): Promise<Seen | undefined> {
  if (session.inDialog) return undefined;
  const objectGroup = randomUUID();
  const expression = `${WATCH}(${JSON.stringify(text)})`;
  const answer = await session
    .send('Runtime.evaluate', { expression, objectGroup }, ANSWER_TIMEOUT_MS)
    .catch(() => undefined);
  const objectId = answer?.result.type === 'function' ? answer.result.objectId : undefined;
  return objectId === undefined ? undefined : { session, objectId, objectGroup };
}

import type { CdpSession } from '../cdp/cdp-session.js';

/** Maximum length of `accept`: longer than any list of types that a person can read. */
const MAX_ACCEPT_CHARS = 1_024;
/**
 * Timeout for the description of a field, and for the event `cancel`. A page that opens a chooser may be
 * busy, or may open a dialog, before it answers. The browser does not report the chooser again, and a page
 * without the event waits for files. Milliseconds.
 */
const PAGE_TIMEOUT_MS = 5 * 60_000;
/** Function that sends the page the event `cancel`, as every browser does if no file was chosen. */
const CANCEL = "function () { this.dispatchEvent(new Event('cancel', { bubbles: true })); }";

/** A field of a page that waits for files. */
export class PageChooser {
  readonly #listening: (() => void)[];
  #end: () => void = () => undefined;
  /** Resolves when the field no longer waits, because it was answered or the page navigated. */
  readonly gone = new Promise<void>((resolve) => (this.#end = resolve));

  constructor(
    readonly page: CdpSession,
    /** The frame of the field. */
    readonly frame: string,
    /** The field's node id in the browser. */
    readonly node: number,
    readonly multiple: boolean,
    readonly directory: boolean,
    readonly accept: string,
  ) {
    void page.ended.then(() => this.close());
    this.#listening = [
      page.on('Page.frameNavigated', ({ frame: { id, parentId } }) => {
        // If the main frame navigates to another process, its inner frames are gone without an event.
        if (id === frame || parentId === undefined) this.close();
      }),
      page.on('Page.frameDetached', ({ frameId }) => frameId === frame && this.close()),
      page.on('Inspector.targetCrashed', () => this.close()),
    ];
  }

  /** Stops waiting, because the field was answered or is gone. */
  close(): void {
    for (const end of this.#listening.splice(0)) end();
    this.#end();
  }

  /**
   * Gives files to the field, as paths inside the sandbox. A field for folders takes one folder. Rejects with
   * `CdpError`.
   */
  async give(files: readonly string[]): Promise<void> {
    await this.page.send('DOM.setFileInputFiles', { backendNodeId: this.node, files: [...files] });
  }

  /**
   * Sends the page the event `cancel`: the user chose no file. A page that is busy receives it later. Rejects
   * with `CdpError`.
   */
  async cancel(): Promise<void> {
    const field = { backendNodeId: this.node };
    const { object } = await this.page.send('DOM.resolveNode', field, PAGE_TIMEOUT_MS);
    const { objectId } = object;
    if (objectId === undefined) return;
    const call = { objectId, functionDeclaration: CANCEL };
    try {
      await this.page.send('Runtime.callFunctionOn', call, PAGE_TIMEOUT_MS);
    } finally {
      // Otherwise the browser would keep the field until the page navigates.
      this.page.post('Runtime.releaseObject', { objectId });
    }
  }
}

/**
 * Follows file choosers in a page or a frame. The browser opens no dialog, because its dialog would list the
 * server's files. Pages have no chooser without a field, because the browser is started without
 * `showOpenFilePicker`.
 *
 * @param onAsked called when a page asks for files. Returns the function that receives the chooser as soon as
 *   the page has described the field
 */
export function followChoosers(page: CdpSession, onAsked: () => (chooser: PageChooser) => void): void {
  page.on('Page.fileChooserOpened', ({ frameId, mode, backendNodeId }) => {
    if (backendNodeId === undefined) return;
    const onOpened = onAsked();
    void describe(page, backendNodeId).then(
      (attributes) =>
        onOpened(
          new PageChooser(
            page,
            frameId,
            backendNodeId,
            mode === 'selectMultiple',
            attributes.has('webkitdirectory'),
            (attributes.get('accept') ?? '').slice(0, MAX_ACCEPT_CHARS),
          ),
        ),
      // The field is gone, or the page hangs.
      () => undefined,
    );
  });
  void page.prepare('Page.enable', {});
  void page.prepare('Page.setInterceptFileChooserDialog', { enabled: true });
}

async function describe(page: CdpSession, backendNodeId: number): Promise<Map<string, string>> {
  const { node } = await page.send('DOM.describeNode', { backendNodeId }, PAGE_TIMEOUT_MS);
  const { attributes = [] } = node;
  const pairs = attributes.flatMap((name, index) =>
    index % 2 === 0 ? [[name, attributes[index + 1] ?? ''] as const] : [],
  );
  return new Map(pairs);
}

/** What a person pastes. */
export interface PastedContent {
  text?: string;
  html?: string;
  /** A PNG. */
  png?: Blob;
}

/** What of a `paste` event, or a drop, can be pasted elsewhere. */
export function pastedContent(data: DataTransfer | null): PastedContent {
  const [text, html] = [data?.getData('text/plain'), data?.getData('text/html')];
  const png = Array.from(data?.files ?? []).find(({ type }) => type === 'image/png');
  return { ...(text && { text }), ...(html && { html }), ...(png && { png }) };
}

/** Tells two contents apart, well enough to know whether somebody has copied something new. */
export function fingerprint({ text = '', html = '', png }: PastedContent): string {
  return `${text}\u0000${html.length}\u0000${png?.size ?? ''}`;
}

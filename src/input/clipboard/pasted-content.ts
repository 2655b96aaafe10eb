/** Content of a paste. */
export interface PastedContent {
  text?: string;
  html?: string;
  /** A PNG image. */
  png?: Blob;
}

/** Returns the supported content of a `paste` event or of a drop. */
export function pastedContent(data: DataTransfer | null): PastedContent {
  const [text, html] = [data?.getData('text/plain'), data?.getData('text/html')];
  const png = Array.from(data?.files ?? []).find(({ type }) => type === 'image/png');
  return { ...(text && { text }), ...(html && { html }), ...(png && { png }) };
}

/** Returns a fingerprint for the detection of new content. Collisions are possible. */
export function fingerprint({ text = '', html = '', png }: PastedContent): string {
  return `${text}\u0000${html.length}\u0000${png?.size ?? ''}`;
}

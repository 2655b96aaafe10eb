/** Content of a paste. */
export interface PastedContent {
  text?: string;
  html?: string;
  /** A PNG image. */
  png?: Blob;
  /** An image of another type, such as JPEG. It is sent as PNG. Absent if there is a PNG image. */
  image?: Blob;
  /** Names of the files, if there is nothing else. These cannot be pasted. */
  files?: string;
}

/** Returns the content of a `paste` event or of a drop. */
export function pastedContent(data: DataTransfer | null): PastedContent {
  const [text, html] = [data?.getData('text/plain'), data?.getData('text/html')];
  const files = Array.from(data?.files ?? []);
  const png = files.find(({ type }) => type === 'image/png');
  const image = png ? undefined : files.find(({ type }) => type.startsWith('image/'));
  const content = {
    ...(text && { text }),
    ...(html && { html }),
    ...(png && { png }),
    ...(image && { image }),
  };
  const isEmpty = Object.keys(content).length === 0;
  return isEmpty && files.length > 0 ? { files: files.map(({ name }) => name).join() } : content;
}

/** Returns a fingerprint for the detection of new content. Collisions are possible. */
export function fingerprint({ text = '', html = '', png, image, files = '' }: PastedContent): string {
  return [text, html.length, png?.size, image?.size, files].join('\u0000');
}

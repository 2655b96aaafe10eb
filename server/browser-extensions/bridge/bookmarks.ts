/** A bookmark, or a folder if it has children. */
interface Bookmark {
  title: string;
  url?: string;
  children?: Bookmark[];
}

/** Chrome's id of the bookmarks bar. */
const BAR = '1';

/** Appends bookmarks to the bar, one after the other, to keep their order. */
export async function addBookmarks(items: readonly Bookmark[], parentId = BAR): Promise<void> {
  for (const { title, url, children } of items) {
    const { id } = await chrome.bookmarks.create({ parentId, title, ...(url !== undefined && { url }) });
    if (children) await addBookmarks(children, id);
  }
}

import { addBookmarks } from './bookmarks.js';

/** What the session host calls; see its `Bridge`. */
Object.assign(globalThis, { bridge: { addBookmarks } });

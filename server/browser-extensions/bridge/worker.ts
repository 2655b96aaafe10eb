import { addBookmarks } from './bookmarks.js';
import { hideDownloads } from './downloads.js';
import { callTabs, listPages, rendererOf, tellTabEvents } from './tabs.js';
import { keepOneWindow, popOut } from './windows.js';

// Listeners must be there as soon as the worker runs: an event may be what woke it.
tellTabEvents();

/** What the session host calls; see its `Bridge`. */
Object.assign(globalThis, {
  bridge: { addBookmarks, callTabs, hideDownloads, keepOneWindow, listPages, popOut, rendererOf },
});

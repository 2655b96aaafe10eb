import { addBookmarks } from './bookmarks.js';
import { hideDownloads } from './downloads.js';
import { iconsOf } from './icons.js';
import { callTabs, listPages, rendererOf, tellTabEvents } from './tabs.js';
import { keepOneWindow, popOut } from './windows.js';

// Listeners must exist as soon as the worker runs, because an event may have woken it.
tellTabEvents();

/** Functions that the session host calls; see its `Bridge`. */
Object.assign(globalThis, {
  bridge: { addBookmarks, callTabs, hideDownloads, iconsOf, keepOneWindow, listPages, popOut, rendererOf },
});

import { addBookmarks } from './bookmarks.js';
import { answerProxy, setProxyCredentials } from './proxy-credentials.js';
import { callTabs, tellTabEvents } from './tabs.js';

// Listeners must be there as soon as the worker runs: an event may be what woke it.
answerProxy();
tellTabEvents();

/** What the session host calls; see its `Bridge`. */
const bridge = { addBookmarks, callTabs, setProxyCredentials };
Object.assign(globalThis, { bridge });

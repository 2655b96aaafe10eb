/**
 * What the first picture waits for longest, begun before the page has loaded the rest of itself: the connection, and finding out what
 * this browser can show. A small script of its own, which waits for no style sheet either.
 */
import { openEarly } from '../core/early-socket.js';
import { probeMedia } from '../media/support.js';

openEarly(location.href);
void probeMedia();

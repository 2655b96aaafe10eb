/**
 * Starts the slowest steps before the first picture while the page still loads: the connection, and the
 * detection of supported media. A small separate script, which does not wait for a style sheet either.
 */
import { openEarly } from '../core/early-socket.js';
import { probeMedia } from '../media/support.js';

openEarly(location.href);
void probeMedia();

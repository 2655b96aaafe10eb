import { answerProxy, setProxyCredentials } from './proxy-credentials.js';

// Listeners must be there as soon as the worker runs: an event may be what woke it.
answerProxy();

/** What the session host calls; see its `Bridge`. */
Object.assign(globalThis, { bridge: { setProxyCredentials } });

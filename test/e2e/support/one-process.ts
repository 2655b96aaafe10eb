/** Imported before the test files that run in one process: they share a service and a browser, see shared.ts. */
import { cleanUpAtProcessEnd } from './cleanup.js';

cleanUpAtProcessEnd();

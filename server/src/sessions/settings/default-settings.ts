import { REGIONS } from '../../create-fields/values/region.js';
import { completeSettings } from './complete-settings.js';
import { settingsOf, type SessionSettings } from './session-settings.js';

/** Settings of a session if the request sets nothing. */
export const DEFAULT_SETTINGS: SessionSettings = settingsOf(completeSettings({}, REGIONS, []), '');

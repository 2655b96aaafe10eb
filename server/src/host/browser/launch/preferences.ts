import { readInside, writeInside } from '../../../platform/files/inside.js';
import { extensionId, OWN_EXTENSIONS } from './extensions.js';
import { isRecord } from '../../../platform/is-record.js';
import { parseJson } from '../../../platform/parse-json.js';

type Json = Record<string, unknown>;

/**
 * Settings for which Chromium has no policy and no switch. Source of the names: Chromium's `pref_names.h`.
 */
const PREFERENCES: Json = {
  // Only the window manager decides what a window looks like. Chromium draws no buttons that minimise,
  // restore or close the window.
  browser: { custom_chrome_frame: false },
  // Without this, F7 opens a dialog about caret browsing over the page.
  settings: { a11y: { caretbrowsing: { show_dialog: false } } },
  // Without this, a list opens over the page when downloads end, and takes the next click.
  download_bubble: { partial_view_enabled: false },
  // Suppresses prompts that have no use. Links that would open another program do nothing. Downloads need no
  // permission, because the host limits their number. 1 is "allow".
  custom_handlers: { enabled: false },
  profile: { default_content_setting_values: { automatic_downloads: 1 } },
  // Without this, an unpacked extension may read local files, even if policies block their URLs.
  extensions: { settings: { [extensionId('own')]: { newAllowFileAccess: false } } },
};

/**
 * GTK settings that turn off pasting with a middle click. A middle click opens links in the background. Users
 * do not expect that it also pastes the selected text.
 */
const GTK_SETTINGS = '[Settings]\ngtk-enable-primary-paste=false\n';

/**
 * Writes the preferences that the browser reads when it starts. The other preferences of a loaded profile
 * stay unchanged. A compromised browser may have left symbolic links in that profile, so the files are opened
 * without following links.
 *
 * @param home the browser's home; its profile is below it
 */
export async function writePreferences(home: string): Promise<void> {
  const path = 'profile/Default/Preferences';
  const present = await readInside(home, path);
  await Promise.all([
    writeInside(home, path, JSON.stringify(wanted(objectOf(present ?? '')))),
    writeInside(home, '.config/gtk-3.0/settings.ini', GTK_SETTINGS),
  ]);
}

function wanted(present: Json): Json {
  return merge(withPin(withoutExtensions(present)), PREFERENCES);
}

/**
 * Parses preferences. Returns an empty object if they are invalid, because Chromium also replaces invalid
 * preferences with new ones.
 */
function objectOf(text: string): Json {
  const value = parseJson(text);
  return isRecord(value) ? value : {};
}

/**
 * Removes this project's extensions and the customer's extension from the preferences, so that each session
 * installs them again. Chromium remembers in the preferences that an extension's worker is registered. But
 * the worker's script is in a cache that profiles do not include, so the worker would never run again. The
 * data of the extensions is stored elsewhere and stays.
 */
function withoutExtensions(preferences: Json): Json {
  const { extensions } = preferences;
  if (!isRecord(extensions) || !isRecord(extensions['settings'])) return preferences;
  const ours = [...OWN_EXTENSIONS, 'own' as const].map(extensionId);
  const others = Object.entries(extensions['settings']).filter(([id]) => !ours.includes(id));
  return { ...preferences, extensions: { ...extensions, settings: Object.fromEntries(others) } };
}

/**
 * Pins the customer's extension to the toolbar. Without a pin, it would be hidden in a menu. The policy
 * `toolbar_pin` has no effect on an unpacked extension.
 */
function withPin(preferences: Json): Json {
  const extensions = isRecord(preferences['extensions']) ? preferences['extensions'] : {};
  const { pinned_extensions: pins } = extensions;
  const pinned = new Set(Array.isArray(pins) ? (pins as unknown[]) : []).add(extensionId('own'));
  return { ...preferences, extensions: { ...extensions, pinned_extensions: [...pinned] } };
}

function merge(present: Json, wanted: Json): Json {
  const merged = { ...present };
  for (const [name, value] of Object.entries(wanted)) {
    const old = merged[name];
    merged[name] = isRecord(value) ? merge(isRecord(old) ? old : {}, value) : value;
  }
  return merged;
}

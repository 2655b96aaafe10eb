import { readInside, writeInside } from '../../../platform/inside.js';
import { extensionId, OWN_EXTENSIONS } from './extensions.js';

type Json = Record<string, unknown>;

/** Chromium has no policy and no switch for these. Names: `pref_names.h` of its sources. */
const PREFERENCES: Json = {
  // The window manager alone decides how a window looks: Chromium draws no buttons that minimise, restore or close.
  browser: { custom_chrome_frame: false },
  // F7 would ask, in a dialog over the page, whether the text caret is wanted.
  settings: { a11y: { caretbrowsing: { show_dialog: false } } },
  // No page is asked about what never happens: links to programs do nothing. Downloads never wait for an answer: the host counts them. 1 is
  // "allow".
  custom_handlers: { enabled: false },
  profile: { default_content_setting_values: { automatic_downloads: 1 } },
  // An extension that is a directory may read files otherwise, whatever policies say of addresses.
  extensions: { settings: { [extensionId('own')]: { newAllowFileAccess: false } } },
};

/** A middle click opens links in the background and never pastes: what somebody selected is not meant to be sent. */
const GTK_SETTINGS = '[Settings]\ngtk-enable-primary-paste=false\n';

/**
 * Writes what the browser reads when it starts: into a new profile, and into one that was loaded, whose own preferences stay. A
 * browser that somebody broke out of may have left links there.
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

/** Preferences that are no object are worth nothing to Chromium either, which then begins anew. */
function objectOf(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * Chromium keeps of an extension that its worker is registered, and starts none that is. The worker's script is in a cache, which
 * profiles do not hold: it would never run again. So each session's extensions are new to it; what they stored is kept elsewhere.
 */
function withoutExtensions(preferences: Json): Json {
  const { extensions } = preferences;
  if (!isObject(extensions) || !isObject(extensions['settings'])) return preferences;
  const ours = [...OWN_EXTENSIONS, 'own' as const].map(extensionId);
  const others = Object.entries(extensions['settings']).filter(([id]) => !ours.includes(id));
  return { ...preferences, extensions: { ...extensions, settings: Object.fromEntries(others) } };
}

/**
 * Whoever uploads an extension wants it at hand: unpinned, it would be behind a menu that nobody looks for. The policy `toolbar_pin`
 * does not reach one that is a directory.
 */
function withPin(preferences: Json): Json {
  const extensions = isObject(preferences['extensions']) ? preferences['extensions'] : {};
  const { pinned_extensions: pins } = extensions;
  const pinned = new Set(Array.isArray(pins) ? (pins as unknown[]) : []).add(extensionId('own'));
  return { ...preferences, extensions: { ...extensions, pinned_extensions: [...pinned] } };
}

function merge(present: Json, wanted: Json): Json {
  const merged = { ...present };
  for (const [name, value] of Object.entries(wanted)) {
    const old = merged[name];
    merged[name] = isObject(value) ? merge(isObject(old) ? old : {}, value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

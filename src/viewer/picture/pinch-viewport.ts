/** Settings of the viewport meta tag that prevent the local browser from zooming its own page. */
const NEEDED: readonly {
  setting: string;
  /** True if `touch-action: none` has the same effect. */
  zooms: boolean;
  holds: (value: string | undefined) => boolean;
}[] = [
  { setting: 'width=device-width', zooms: false, holds: (value) => value === 'device-width' },
  { setting: 'initial-scale=1', zooms: false, holds: (value) => Number(value) === 1 },
  { setting: 'maximum-scale=1', zooms: true, holds: (value) => Number(value) === 1 },
  { setting: 'user-scalable=no', zooms: true, holds: (value) => value === 'no' || value === '0' },
];

const warned = new WeakSet<Document>();

/** Returns the settings for pinching that a page's viewport meta tag lacks. Empty if it has all. */
export function missingForPinch(page: Document): string[] {
  // If there are several tags, browsers use the last one.
  const tag = Array.from(page.querySelectorAll<HTMLMetaElement>('meta[name="viewport" i]')).at(-1);
  // A page with `touch-action: none` does not zoom, so it does not need the zoom settings.
  const still = page.defaultView?.getComputedStyle(page.documentElement).touchAction === 'none';
  const settings = new Map(
    (tag?.content ?? '').split(/[,;]/).map((setting) => {
      const [name = '', value = ''] = setting.split('=');
      return [name.trim().toLowerCase(), value.trim().toLowerCase()] as const;
    }),
  );
  return NEEDED.filter(({ setting, zooms, holds }) => {
    if (zooms && still) return false;
    return !holds(settings.get(setting.split('=')[0] ?? ''));
  }).map(({ setting }) => setting);
}

/**
 * Warns the page's developer in the console, once per page, if a pinch would also zoom the page itself. In a
 * frame, it checks the outermost page. A page of another origin cannot be checked.
 */
export function warnAboutViewport(view: Window = window): void {
  const page = outermostPage(view);
  if (!page || warned.has(page)) return;
  const missing = missingForPinch(page);
  if (missing.length === 0) return;
  warned.add(page);
  console.warn(
    'cloud-browser: this session has touch_gestures.pinch, but the viewport meta tag of the page lacks ' +
      `${missing.join(', ')}: fingers may zoom your page instead of the remote page. Use <meta name="viewport" ` +
      `content="${NEEDED.map(({ setting }) => setting).join(', ')}">.`,
  );
}

function outermostPage(view: Window): Document | undefined {
  try {
    return view.top?.document;
  } catch {
    return undefined;
  }
}

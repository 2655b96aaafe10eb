/** What keeps the visitor's own browser from zooming the page in place of the remote one, as a viewport meta tag has it. */
const NEEDED: readonly {
  setting: string;
  /** Keeps fingers from zooming, as `touch-action: none` does. */
  zooms: boolean;
  holds: (value: string | undefined) => boolean;
}[] = [
  { setting: 'width=device-width', zooms: false, holds: (value) => value === 'device-width' },
  { setting: 'initial-scale=1', zooms: false, holds: (value) => Number(value) === 1 },
  { setting: 'maximum-scale=1', zooms: true, holds: (value) => Number(value) === 1 },
  { setting: 'user-scalable=no', zooms: true, holds: (value) => value === 'no' || value === '0' },
];

const warned = new WeakSet<Document>();

/** Settings that a page's viewport meta tag lacks for pinching in a remote browser; empty when it is as it should be. */
export function missingForPinch(page: Document): string[] {
  // Browsers go by the last one.
  const tag = Array.from(page.querySelectorAll<HTMLMetaElement>('meta[name="viewport" i]')).at(-1);
  // A page that takes no gesture of the browser's is not zoomed, and may leave that to those who need it elsewhere.
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
 * Tells the page's developer in the console, once for each page, when a pinch would zoom the page itself too. In a frame
 * the page around it counts; one of another origin cannot be looked at.
 */
export function warnAboutViewport(view: Window = window): void {
  const page = outermostPage(view);
  if (!page || warned.has(page)) return;
  const missing = missingForPinch(page);
  if (missing.length === 0) return;
  warned.add(page);
  console.warn(
    'cloud-browser: this session has touch_gestures.pinch, but the viewport meta tag of the page lacks ' +
      `${missing.join(', ')}: fingers may zoom your page instead of the remote one. Use <meta name="viewport" ` +
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

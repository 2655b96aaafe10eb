import type { CdpSession } from '../cdp/cdp-session.js';
import type { Pages } from '../pages/pages.js';

/** A tab as the worker describes it; see `bridge/tabs.ts` of the browser extensions. */
interface ShownTab {
  target: string;
  active: boolean;
  front: boolean;
}

/** The connection to the worker; see `Bridge`. */
interface TabLister {
  call(name: 'listPages'): Promise<unknown>;
}

/**
 * Returns the page whose dialog users have to answer. This is the page in front. If it has no dialog, it is
 * the page in front in another window, because its dialog may block the page in front too. Undefined if none
 * of these pages has a dialog. Rejects when the browser ends.
 */
export async function pageWithShownDialog(
  worker: TabLister,
  pages: Pick<Pages, 'all' | 'dialogs' | 'ofTarget'>,
): Promise<CdpSession | undefined> {
  const { all, dialogs } = pages;
  if (dialogs.all().size === 0) return undefined;
  // The only page is in front. So most sessions do not need the extension for this.
  if (all.length === 1) return all.find((page) => dialogs.of(page));
  const tabs = await worker.call('listPages');
  if (!Array.isArray(tabs)) return undefined;
  const shown = tabs.filter(isShownTab).sort((one, other) => Number(other.front) - Number(one.front));
  return shown.map(({ target }) => pages.ofTarget(target)).find((page) => page && dialogs.of(page));
}

function isShownTab(value: unknown): value is ShownTab {
  if (typeof value !== 'object' || value === null) return false;
  const { target, active, front }: Partial<Record<keyof ShownTab, unknown>> = value;
  return typeof target === 'string' && active === true && typeof front === 'boolean';
}

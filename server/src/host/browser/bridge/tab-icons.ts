import { isRecord } from '../../../platform/is-record.js';

/** The worker's function that returns the icons of pages, in the order of the pages' addresses. */
export interface IconWorker {
  call(name: 'iconsOf', addresses: readonly string[]): Promise<unknown>;
}

/**
 * Splits the arguments of `tabs.query`: Chrome does not know the property `icons`.
 *
 * @returns the arguments for Chrome, and true if the caller requests the icons of the tabs
 */
export function iconQuery(args: readonly unknown[]): { args: readonly unknown[]; icons: boolean } {
  const [query, ...others] = args;
  if (!isRecord(query) || typeof query['icons'] !== 'boolean') return { args, icons: false };
  const { icons, ...wanted } = query;
  return { args: [wanted, ...others], icons };
}

/**
 * Adds `icon` to each tab of an answer that has an icon. The browser draws these images, so a program can
 * show them without a request to an address that the page has chosen.
 */
export async function withIcons<Outcome extends object>(
  worker: IconWorker,
  outcome: Outcome,
): Promise<Outcome | { result: unknown }> {
  if (!('result' in outcome) || !Array.isArray(outcome.result)) return outcome;
  const tabs: readonly unknown[] = outcome.result;
  const pages = [...new Set(tabs.flatMap(pageWithIcon))];
  if (pages.length === 0) return outcome;
  const found = await worker.call('iconsOf', pages);
  if (!Array.isArray(found)) throw new Error('The bridge does not return icons.');
  const icons = new Map(pages.map((page, index) => [page, found[index] as unknown]));
  return {
    result: tabs.map((tab) => {
      const icon = pageWithIcon(tab).map((page) => icons.get(page))[0];
      return isRecord(tab) && typeof icon === 'string' && icon !== '' ? { ...tab, icon } : tab;
    }),
  };
}

/** Returns the address of a tab's page if the page has an icon. */
function pageWithIcon(tab: unknown): string[] {
  if (!isRecord(tab) || !tab['favIconUrl'] || typeof tab['url'] !== 'string') return [];
  return [tab['url']];
}

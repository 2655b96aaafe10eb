/**
 * Lists of the rules package: AdGuard Base with EasyList, AdGuard Tracking Protection, URL tracking
 * parameters.
 */
export const RULE_LISTS = [2, 3, 17] as const;

/**
 * An extension without code. The browser itself applies its rules, and no page's content passes through it.
 */
export const MANIFEST = {
  manifest_version: 3,
  name: 'Adblock',
  description: 'Blocks advertisements and trackers.',
  version: '1.0',
  minimum_chrome_version: '120',
  permissions: ['declarativeNetRequest'],
  host_permissions: ['<all_urls>'],
  declarative_net_request: {
    rule_resources: RULE_LISTS.map((list) => ({
      id: `list${list}`,
      enabled: true,
      path: `rules/${list}.json`,
    })),
  },
};

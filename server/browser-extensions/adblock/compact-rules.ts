/** The fields of a declarativeNetRequest rule that matter here. */
export interface Rule {
  id: number;
  priority?: number;
  action: { type: string; redirect?: { extensionPath?: string } };
  condition: { urlFilter?: string; requestDomains?: string[]; [other: string]: unknown };
}

/** Rules that differ only in their domain. */
interface Group {
  rule: Omit<Rule, 'id'>;
  domains: string[];
}

/**
 * Pattern of a filter that is only a domain, without the rest of the URL: `||ads.example^`, or `ads.example`
 * from a list.
 */
const DOMAIN_ALONE = /^(?:\|\|((?:[a-z0-9-]+\.)+[a-z0-9-]+)\^|((?:[a-z0-9-]+\.)+[a-z]{2,}))$/;

/**
 * Returns fewer, equivalent rules. All rules with the same effect on one domain each become one rule with a
 * list of domains. The browser then reads a tenth of the rules, so a start does not wait for them. Comments
 * of the list tools are removed, and so are rules that need files that this extension lacks.
 */
export function compactRules(rules: readonly Rule[]): Rule[] {
  const single: Omit<Rule, 'id'>[] = [];
  const groups = new Map<string, Group>();
  for (const { action, condition, priority = 1 } of rules) {
    if (action.redirect?.extensionPath !== undefined) continue;
    const { urlFilter, ...others } = condition;
    const match = urlFilter === undefined || others.requestDomains ? null : DOMAIN_ALONE.exec(urlFilter);
    const domain = match?.[1] ?? match?.[2];
    if (domain === undefined) {
      single.push({ priority, action, condition });
      continue;
    }
    const key = JSON.stringify([priority, action, others]);
    const group: Group = groups.get(key) ?? { rule: { priority, action, condition: others }, domains: [] };
    group.domains.push(domain);
    groups.set(key, group);
  }
  const grouped = [...groups.values()].map(({ rule, domains }) => ({
    ...rule,
    condition: { ...rule.condition, requestDomains: [...new Set(domains)] },
  }));
  return [...single, ...grouped].map((rule, index) => ({ id: index + 1, ...rule }));
}

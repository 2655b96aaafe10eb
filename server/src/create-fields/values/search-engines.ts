import { invalidParameter } from '../../service-error.js';

/** Search engine of the address bar. Its addresses contain the placeholder `{searchTerms}`. */
export interface SearchEngine {
  name: string;
  /** Word that the user types in the address bar to search with this engine. */
  keyword: string;
  url: string;
  suggestionsUrl?: string;
}

/** Placeholder in an address for the search terms, as in OpenSearch. */
export const SEARCH_TERMS = '{searchTerms}';

/** Search engines that a request can name, with the addresses that they publish for browsers. */
export const SEARCH_ENGINES = {
  duckduckgo: {
    name: 'DuckDuckGo',
    keyword: 'duckduckgo.com',
    url: 'https://duckduckgo.com/?q={searchTerms}',
    suggestionsUrl: 'https://duckduckgo.com/ac/?q={searchTerms}&type=list',
  },
  ecosia: {
    name: 'Ecosia',
    keyword: 'ecosia.org',
    url: 'https://www.ecosia.org/search?q={searchTerms}',
    suggestionsUrl: 'https://ac.ecosia.org/autocomplete?q={searchTerms}&type=list',
  },
  google: {
    name: 'Google',
    keyword: 'google.com',
    url: 'https://www.google.com/search?q={searchTerms}',
    suggestionsUrl: 'https://www.google.com/complete/search?client=chrome&q={searchTerms}',
  },
  startpage: {
    name: 'Startpage',
    keyword: 'startpage.com',
    url: 'https://www.startpage.com/sp/search?query={searchTerms}',
    suggestionsUrl: 'https://www.startpage.com/suggestions?q={searchTerms}&format=opensearch',
  },
  brave: {
    name: 'Brave',
    keyword: 'search.brave.com',
    url: 'https://search.brave.com/search?q={searchTerms}',
    suggestionsUrl: 'https://search.brave.com/api/suggest?q={searchTerms}',
  },
} as const satisfies Record<string, SearchEngine>;

/** One of {@link SEARCH_ENGINES}. */
export type SearchEngineName = keyof typeof SEARCH_ENGINES;

/** Search engine in a request. */
export type SearchEngineRequest =
  SearchEngineName | { name?: string; keyword?: string; url: string; suggestions_url?: string };

/** Returns the requested search engine. Throws {@link ServiceError} `err_invalid_parameter`. */
export function searchEngineOf(request: SearchEngineRequest): SearchEngine {
  if (typeof request === 'string') return SEARCH_ENGINES[request];
  const url = searchAddress('search_engine.url', request.url);
  const { hostname } = new URL(url);
  const engine = {
    name: request.name?.trim() || hostname,
    keyword: request.keyword?.trim() || hostname,
    url,
  };
  if (/\s/.test(engine.keyword)) throw invalidParameter('search_engine.keyword', 'a word without spaces');
  if (request.suggestions_url === undefined) return engine;
  return {
    ...engine,
    suggestionsUrl: searchAddress('search_engine.suggestions_url', request.suggestions_url),
  };
}

function searchAddress(field: string, text: string): string {
  const address = text.trim();
  const usable =
    address.includes(SEARCH_TERMS) && URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  if (!usable) {
    throw invalidParameter(field, `an http or https address that holds ${SEARCH_TERMS}`);
  }
  return address;
}

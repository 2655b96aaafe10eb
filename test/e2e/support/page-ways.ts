import { FORBIDDEN_HOSTS, FORBIDDEN_KINDS, type ForbiddenHost } from './forbidden-hosts.js';

/** A way of a page to reach an address, as a script. */
export interface PageWay {
  /**
   * `$` stands for `host:port/path`, and REDIRECT for a server that redirects to the address behind `to=`.
   */
  script: string;
  /** Hosts that this way tries. */
  hosts: readonly ForbiddenHost[];
}

const add = (tag: string, properties: string) =>
  `ways.appendChild(Object.assign(document.createElement('${tag}'), { ${properties} }))`;

/** Each host costs a request. */
const LIGHT = {
  'a fetch': "fetch('http://$', { mode: 'no-cors' }).catch(() => 0)",
  'a fetch over TLS': "fetch('https://$', { mode: 'no-cors' }).catch(() => 0)",
  'an XMLHttpRequest': "{ const x = new XMLHttpRequest(); x.open('GET', 'http://$'); x.send(); }",
  'an image': "new Image().src = 'http://$'",
  'a script': add('script', "src: 'http://$'"),
  'a module': "import('http://$').catch(() => 0)",
  'a style sheet': add('link', "rel: 'stylesheet', href: 'http://$'"),
  'a preload': add('link', "rel: 'preload', as: 'fetch', crossOrigin: '', href: 'http://$'"),
  'a font': "new FontFace('way', \"url('http://$')\").load().catch(() => 0)",
  'a beacon': "navigator.sendBeacon('http://$', 'x')",
  'an event stream': "new EventSource('http://$')",
  'a WebSocket': "new WebSocket('ws://$')",
} satisfies Record<string, string>;

/** An address in a header is written in ASCII. */
const REDIRECT: PageWay = {
  script: "new Image().src = 'http://REDIRECT/go?to=' + encodeURIComponent('http://$')",
  hosts: FORBIDDEN_HOSTS.filter(([host]) => /^[\x21-\x7e]+$/.test(host)),
};

/** Each host costs a renderer or a thread. */
const HEAVY = {
  'a video': add('video', "src: 'http://$'"),
  'a frame': add('iframe', "src: 'http://$'"),
  'a frame in a frame': add('iframe', "srcdoc: '<iframe src=http://$></iframe>'"),
  'a frame of a data: address': add('iframe', "src: 'data:text/html,<img src=http://$>'"),
  'an object': add('object', "data: 'http://$'"),
  'a PDF': add('embed', "type: 'application/pdf', src: 'http://$'"),
  'a form': `{ const name = 'f' + Math.random(); ${add('iframe', 'name')};
    ${add('form', "target: name, method: 'post', action: 'http://$'")}.submit(); }`,
  'a redirect of a frame': add('iframe', "src: 'http://REDIRECT/go?to=' + encodeURIComponent('http://$')"),
  'a worker': "new Worker(URL.createObjectURL(new Blob([\"fetch('http://$', { mode: 'no-cors' })\"])))",
  'a shared worker':
    "new SharedWorker(URL.createObjectURL(new Blob([\"fetch('http://$', { mode: 'no-cors' })\"])))",
  'a script of a worker': 'new Worker(URL.createObjectURL(new Blob(["importScripts(\'http://$\')"])))',
} satisfies Record<string, string>;

/** Ways of a page without help, by name. */
export const PAGE_WAYS: ReadonlyMap<string, PageWay> = new Map([
  ...Object.entries(LIGHT).map(([name, script]) => [name, { script, hosts: FORBIDDEN_HOSTS }] as const),
  ['a redirect', REDIRECT],
  ...Object.entries(HEAVY).map(([name, script]) => [name, { script, hosts: FORBIDDEN_KINDS }] as const),
]);

/**
 * The script that tries a way to each of these places.
 *
 * @param places each `host:port/path`
 * @param redirect `host:port` of a server that redirects
 */
export function scriptOf({ script }: PageWay, places: readonly string[], redirect: string): string {
  const tries = places.map(
    (place) => `try { ${script.replaceAll('$', place).replaceAll('REDIRECT', redirect)} } catch {}`,
  );
  return `{
    document.querySelector('#ways')?.remove();
    const ways = document.body.appendChild(Object.assign(document.createElement('div'), { id: 'ways' }));
    ${tries.join('\n')}
  }`;
}

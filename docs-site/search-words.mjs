/**
 * Words that people search for, by page of the site: other names of the page's topic. The search finds the
 * page by these words too. The page does not show them.
 */
export const SEARCH_WORDS = {
  'index.md': 'documentation home overview',
  'start/index.md': 'quick start quickstart getting started tutorial install setup first session hello world',
  'start/html.md': 'plain html script tag cdn vanilla javascript without framework',
  'start/react.md': 'react component hook jsx tsx useRef useEffect vite create-react-app',
  'start/vue.md': 'vue component template composition api',
  'start/svelte.md': 'svelte component',
  'start/angular.md': 'angular component CUSTOM_ELEMENTS_SCHEMA ng typescript',
  'start/next.md': 'next nextjs next.js app router server component use client react',
  'start/nuxt.md': 'nuxt nuxtjs nuxt 3 nuxt 4 vue server route nitro',
  'start/sveltekit.md': 'sveltekit svelte kit load function adapter',
  'start/astro.md': 'astro island page server output',
  'start/server-rendering.md': 'server rendering ssr hydration use client window is not defined',
  'start/agents.md':
    'agent ai automation playwright playwright playwright puppeteer cdp devtools mcp computer use takeover take over human in the loop handoff python bot script',
  'start/express.md': 'express backend node server koa fastify hono route',
  'embedding.md': 'embed element iframe web component custom element attributes slots theme style css',
  'replay.md':
    'cloud-browser-replay replay player playback video recording timeline chapters captions seek speed idle hls src token',
  'recording.md':
    'recording recording recording recordings record video mp4 hls replay playback audit screen capture chapters markers events retention',
  'touch.md': 'touch phone mobile tablet gestures pinch zoom swipe on-screen keyboard android ios',
  'users.md':
    'users roles permissions permission user permissions rights moderator multiplayer co-browsing cobrowsing share control cursor kick',
  'files.md':
    'files upload upload upload uploads uploading upload a file download downloads file picker drag and drop attachment pdf print',
  'migration.md':
    'migrate migration hyperbeam hosted service switch replace alternative compatible compatibility drop-in moving vm',
  'embed-module.md': 'embed module postmessage protocol',
  'sdk.md': 'sdk javascript typescript client api examples recipes how to',
  'recipes/screenshot.md':
    'take a screenshot take a screenshot take a screenshot screenshots screen shot capture image picture snapshot png jpeg thumbnail save frame canvas',
  'recipes/record.md':
    'record recording recorder video capture mediarecorder captureStream webm mp4 film movie stream save',
  'recipes/size.md':
    'change size resize resize resize resizing resolution width height dimensions aspect ratio responsive full screen fullscreen viewport',
  'recipes/loading.md': 'loading load spinner progress indicator skeleton placeholder waiting ready onload',
  'recipes/translation.md':
    'translate translation translations language languages locale localization localisation internationalization i18n french spanish texts words labels',
  'api.md': 'rest http api curl create session endpoint request json python php',
  'troubleshooting.md':
    'troubleshooting problem problems help debug not working broken black screen black screen black screen blank faq support',
  'operating.md':
    'operate deploy deployment docker container kubernetes nginx systemd environment variables configuration self-host hosting production',
  'security.md': 'security sandbox isolation secure privacy gdpr',
  'architecture.md': 'architecture design internals how it works',
  'paths.md': 'paths walk code clipboard copy upload cluster node create',
  'protocol.md': 'wire protocol websocket binary',
  'benchmarks.md': 'benchmark benchmarks performance speed latency fps',
  'scale.md': 'scale scaling cluster many nodes capacity load balancing horizontal',
  'testing.md': 'testing tests test groups',
  'contributing.md': 'contributing contribute development',
  'changelog.md': 'changelog release notes versions what is new',
};

/** The heading of a page. The words follow it, so that they belong to the page's first part. */
const FIRST_HEADING = /<h1\b[\s\S]*?<\/h1>/;

/** The heading of a member on a page of the SDK's reference. */
const MEMBER_HEADING = /(<h[2-6]\b[^>]*>)([\s\S]*?)(<a class="header-anchor")/g;
const REFERENCE = /^reference\/sdk\/(.*?)(?:\/index)?\.md$/;

/**
 * Returns the HTML of a page for the search, with the page's words. Titles of the SDK's members get the name
 * of their module, because a match counts less in a longer title. So a common word such as `upload` finds the
 * guide first.
 *
 * @param path path in the site, such as `start/react.md`
 */
export function withSearchWords(html, path) {
  const [, reference] = REFERENCE.exec(path) ?? [];
  if (reference !== undefined) {
    const [, module] = /^(.*?)(?:\/classes\/.*)?$/.exec(reference) ?? [];
    const place = `in the SDK, ${module}`;
    return html.replace(MEMBER_HEADING, (_, open, title, anchor) => `${open}${title}, ${place} ${anchor}`);
  }
  const words = SEARCH_WORDS[path];
  return words === undefined ? html : html.replace(FIRST_HEADING, (heading) => `${heading}<p>${words}</p>`);
}

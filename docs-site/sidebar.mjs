const page = (text, link) => ({ text, link });
const group = (text, items) => ({ text, items });

/** Links beside every page, grouped by the reader's aim. `reference` names the generated pages. */
export const sidebar = ({ sdk, rest }) => [
  group('Start', [
    page('In five minutes', '/start/'),
    page('Let an agent drive', '/start/agents'),
    page('Plain HTML', '/start/html'),
    page('React', '/start/react'),
    page('Vue', '/start/vue'),
    page('Svelte', '/start/svelte'),
    page('Angular', '/start/angular'),
    page('Next, App Router', '/start/next'),
    page('Nuxt', '/start/nuxt'),
    page('SvelteKit', '/start/sveltekit'),
    page('Astro', '/start/astro'),
    page('Server rendering', '/start/server-rendering'),
    page('Express backend', '/start/express'),
  ]),
  group('Embed', [
    page('The element, an iframe', '/embedding'),
    page('Phones and touch', '/touch'),
    page('Users and rights', '/users'),
    page('Files', '/files'),
    page('Record sessions', '/recording'),
    page('Replay', '/replay'),
    page('Migrate from Hyperbeam', '/migration'),
    page('The embed module', '/embed-module'),
  ]),
  group('Recipes', [
    page('By task', '/sdk'),
    page('Screenshot', '/recipes/screenshot'),
    page('Recording', '/recipes/record'),
    page('Size', '/recipes/size'),
    page('Loading state', '/recipes/loading'),
    page('Translation', '/recipes/translation'),
  ]),
  group('SDK', [page('Overview', '/reference/sdk/'), ...sdk]),
  group('REST', [page('Guide', '/api'), page('All requests', '/reference/rest'), ...rest]),
  group('Troubleshooting', [
    page('By symptom', '/troubleshooting'),
    page('By error code', '/reference/errors'),
  ]),
  group('Operate', [page('Run the service', '/operating')]),
  group('Security', [page('What it protects', '/security'), page('Report a vulnerability', '/reporting')]),
  group('Design', [
    page('Architecture', '/architecture'),
    page('Paths through the code', '/paths'),
    page('Wire protocol', '/protocol'),
    page('Benchmarks', '/benchmarks'),
    page('Large clusters', '/scale'),
    page('Testing', '/testing'),
    page('Contributing', '/contributing'),
    page('Changelog', '/changelog'),
  ]),
];

const page = (text, link) => ({ text, link });
const group = (text, items) => ({ text, items });

/** What stands beside every page, by what a reader wants. `reference` names the pages that are generated. */
export const sidebar = ({ sdk, rest }) => [
  group('Start', [
    page('In five minutes', '/start/'),
    page('Plain HTML', '/start/html'),
    page('React', '/start/react'),
    page('Vue', '/start/vue'),
    page('Svelte', '/start/svelte'),
    page('Next, server rendering', '/start/server-rendering'),
    page('Express backend', '/start/express'),
  ]),
  group('Embed', [
    page('The element, an iframe', '/embedding'),
    page('Phones and touch', '/touch'),
    page('Users and rights', '/users'),
    page('Files', '/files'),
    page('From the hosted service', '/migration'),
    page('The embed module', '/embed-module'),
  ]),
  group('Recipes', [page('By task', '/sdk')]),
  group('SDK', [page('Overview', '/reference/sdk/'), ...sdk]),
  group('REST', [page('Guide', '/api'), page('All requests', '/reference/rest'), ...rest]),
  group('Troubleshooting', [
    page('By symptom', '/troubleshooting'),
    page('By error code', '/reference/errors'),
  ]),
  group('Operate', [page('Run the service', '/operating')]),
  group('Security', [page('What it protects', '/security'), page('Report a hole', '/reporting')]),
  group('Design', [
    page('Architecture', '/architecture'),
    page('Wire protocol', '/protocol'),
    page('Benchmarks', '/benchmarks'),
    page('Many nodes', '/scale'),
    page('Testing', '/testing'),
    page('Contributing', '/contributing'),
    page('Changelog', '/changelog'),
  ]),
];

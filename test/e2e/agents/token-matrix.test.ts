import assert from 'node:assert/strict';
import type { HostedPage } from '../support/hosted-page.js';
import { RawProgram } from '../support/raw-program.js';
import { RawViewer } from '../support/raw-viewer.js';
import type { Service, Session } from '../support/service.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { issue } from '../support/token-connections.js';
import { until } from '../support/until.js';

cleanUpAtEnd();
const SCOPES = ['view', 'control', 'automation', 'admin'] as const;
type Scope = (typeof SCOPES)[number];
const SIZE = { width: 800, height: 600 };
const ROLES = ['control', 'chrome_apis', 'file_upload', 'file_download'];
/** Button of the page. */
const PRESS = { x: 190, y: 180 };
/** Time in which a press that counts reaches the page. Milliseconds. */
const PRESSED_WITHIN_MS = 3_000;
/** Endpoints below a session's address that need no token of the session. */
const OPEN = /\/ok$|\/files\/\{ticket\}$/;
const PROGRAMS = /^\w+ \/\{address\}\/(computer\/|downloads\/|uploads|screenshot|handoffs|json\/|mcp$)/;
/** Methods of a session that need the rights of an admin, or a role that a watching user lacks. */
const ADMIN_CALLS = [
  ...['users.list', 'kick', 'setPermissions', 'addRoles', 'removeRoles', 'control.take'],
  ...['tabs.query', 'tabs.create', 'tabs.update', 'tabs.remove', 'dialogs.list', 'dialogs.answer'],
  ...['files.list', 'files.offer', 'files.ticket', 'files.remove'],
  ...['handoffs.request', 'handoffs.withdraw', 'resize'],
];

let session: Session;
let page: HostedPage;
/** Watching viewers without any right. The calls of each bring one of the tokens. */
const watchers = new Map<string, RawViewer>();
const tokens = new Map<Scope, string>();

test.beforeAll(async ({ service, pages }) => {
  page = pages.page('agent');
  session = await service.create({ ...SIZE, start_url: page.url, automation: { roles: ROLES } });
  await page.fills(SIZE);
  for (const scope of SCOPES) tokens.set(scope, (await issue(session, { scope })).token);
  const watching = { ...session, embed_url: embedUrl(tokens.get('view')) };
  for (const token of tokens.values()) watchers.set(token, await RawViewer.open(watching));
});

const base = () => session.embed_url.split('?')[0] ?? '';
const embedUrl = (token = '') => `${base()}?token=${token}`;

/** Resolves to a viewer that a token has admitted, or to undefined. */
async function enter(token: string): Promise<RawViewer | undefined> {
  const viewer = await RawViewer.knock({ ...session, embed_url: embedUrl(token) }).catch(() => undefined);
  return viewer?.welcome && viewer;
}

/** A way to use a session with a token. Resolves to true if the session allows it. */
type Way = (token: string) => Promise<boolean>;

const SOCKETS: Readonly<Record<string, { way: Way; scopes: readonly Scope[] }>> = {
  'the picture': {
    scopes: ['view', 'control'],
    way: async (token) => {
      const viewer = await enter(token);
      if (viewer) await until('a frame arrives', () => viewer.packets.length > 0);
      viewer?.close();
      return viewer !== undefined;
    },
  },
  'a press': {
    scopes: ['control'],
    way: async (token) => {
      const viewer = await enter(token);
      const before = Number(page.state['down']);
      for (const [index, pressed] of [true, false].entries())
        viewer?.send({ type: 'button', seq: index + 1, modifiers: 0, ...PRESS, button: 0, pressed });
      if (!viewer) return false;
      const isDown = () => Number(page.state['down']) > before;
      const done = await until('the page is pressed', isDown, PRESSED_WITHIN_MS).catch(() => false);
      viewer.close();
      return done;
    },
  },
  'a command of a program': {
    scopes: ['automation', 'admin'],
    way: async (token) => {
      const url = `${base().replace('http', 'ws')}/devtools/browser?token=${token}`;
      const program = await RawProgram.open(url).catch(() => undefined);
      const answer = await program?.send('Target.getTargets', {}, 'browser');
      program?.socket.terminate();
      return answer?.result !== undefined;
    },
  },
};

/** Sends a request with a token. Resolves to true if the service lets it through. */
function request(verb: string, template: string): Way {
  const url = template
    .replace('/{address}', base())
    .replace('{method}', template.includes('dialogs') ? 'list' : 'query');
  return async (token) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { status } = await fetch(url.replace(/\{\w+\}/, 'x'), {
      ...{ method: verb, headers },
      ...(verb === 'POST' && { body: '{}' }),
    });
    return status !== 401 && status !== 403;
  };
}

async function requests(service: Service): Promise<Map<string, Way>> {
  const { body } = await service.request('GET', '/openapi.json');
  const found = new Map<string, Way>();
  for (const [template, verbs] of Object.entries(body['paths'] as Record<string, object>))
    for (const verb of Object.keys(verbs))
      if (template.startsWith('/{address}') && !OPEN.test(template))
        found.set(`${verb.toUpperCase()} ${template}`, request(verb.toUpperCase(), template));
  return found;
}

test('a token of each scope does nothing beyond its scope', async ({ service }) => {
  test.setTimeout(180_000);
  const lines: string[] = [];
  const wrong: string[] = [];
  const row = async (name: string, way: Way, scopes: readonly Scope[]) => {
    const cells: string[] = [];
    for (const [scope, token] of tokens) {
      const passes = await way(token);
      cells.push((passes ? 'yes' : '-').padEnd(12));
      if (passes !== scopes.includes(scope)) wrong.push(`${scope}: ${name} is ${String(passes)}`);
    }
    lines.push(`${name.padEnd(44)}${cells.join('')}`);
  };
  for (const [name, { way, scopes }] of Object.entries(SOCKETS)) await row(name, way, scopes);
  for (const method of ADMIN_CALLS)
    await row(
      `call ${method}`,
      async (token) => {
        // The session checks the rights before the arguments, which are wrong for every method.
        const args = [{ none: 1 }, { none: 1 }, { none: 1 }];
        const answer = await watchers.get(token)?.callWith(token, method, ...args);
        return answer?.error?.code !== 'err_forbidden';
      },
      ['admin'],
    );
  for (const [name, way] of await requests(service))
    await row(name, way, PROGRAMS.test(name) ? ['automation', 'admin'] : ['admin']);
  const head = SCOPES.map((scope) => scope.padEnd(12)).join('');
  note(`${lines.length} rows`);
  console.log([''.padEnd(44) + head, ...lines].join('\n'));
  assert.deepEqual(wrong, []);
});

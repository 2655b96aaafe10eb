import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { PNG } from 'pngjs';
import { openAddress, openBySuggestion } from '../support/address-bar.js';
import { AnsweringServer } from '../support/answering-server.js';
import { askSession } from '../support/ask-session.js';
import type { HostedPage } from '../support/hosted-page.js';
import { storedProfile } from '../support/stored-profile.js';
import { cleanUpAtEnd, note, test } from '../support/test.js';
import { until } from '../support/until.js';
import type { Viewer } from '../support/viewer.js';

cleanUpAtEnd();
const COOKIE = 'cookie-in-clear';
const STORED = 'storage-in-clear';
const USER = 'ann-the-user';
const PASSWORD = 'correct-horse-battery';
const BOOKMARK = 'Zanzibar zither';
const VISITED = 'Amaranth almanac';

let site: AnsweringServer;
test.beforeAll(async () => {
  const titled: Record<string, string> = { '/kept': BOOKMARK, '/visited': VISITED };
  site = await AnsweringServer.start(({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<title>${titled[url] ?? 'None'}</title>`);
  });
});

const requests = (path: string) => site.requests.filter((request) => request === path).length;

// Proves: start_url unset with a profile: its tabs; profile
test('the next session that loads a profile has the cookies, storage, login, bookmark, history and tabs of the previous session', async ({
  service,
  pages,
  watch,
}) => {
  const [login, first, second] = [pages.page('login'), pages.page('marker'), pages.page('marker')] as const;
  const session = await service.create({ start_url: login.url, kiosk: false, profile: true });
  const viewer = await watch(session);
  await login.loaded();
  await logIn(viewer, login);
  await openAddress(viewer, `${site.url}/visited`, () => requests('/visited') > 0);
  await openAddress(viewer, first.url, () => first.loads > 0);
  await first.run(`document.cookie = "login=${COOKIE}; max-age=86400"`);
  await first.run(`localStorage.setItem("token", "${STORED}")`);
  await bookmark(session);
  await viewer.page.keyboard.press('Control+t');
  await openAddress(viewer, second.url, () => second.loads > 0);
  await service.end(session);
  const before = { first: first.loads, second: second.loads, login: login.loads };
  const visits = requests('/visited');
  await viewer.close();

  const sealed = await storedProfile(service, session.session_id);
  const secrets = [COOKIE, STORED, USER, PASSWORD, BOOKMARK, VISITED, 'SQLite', '127.0.0.1'];
  for (const secret of secrets) {
    for (const encoding of ['utf8', 'utf16le'] as const)
      assert.equal(sealed.includes(Buffer.from(secret, encoding)), false, secret);
  }
  note(`${sealed.length} bytes`);

  const next = await service.create({ profile: session.session_id, kiosk: false });
  await Promise.all([first.loaded(before.first + 1), second.loaded(before.second + 1)]);
  assert.match(String(await first.run('document.cookie')), new RegExp(`login=${COOKIE}`));
  assert.equal(await first.run('localStorage.getItem("token")'), STORED);
  const after = await watch(next);
  await openBySuggestion(after, BOOKMARK, () => requests('/kept') > 0);
  await openBySuggestion(after, VISITED, () => requests('/visited') > visits);
  await openAddress(after, login.url, () => login.loads > before.login);
  // Chromium gives a page the filled-in password only after its user has clicked or typed.
  let looks = 0;
  await until('the login is filled in', async () => {
    // Click again after a while: the browser may not have filled in the password yet.
    if (looks++ % 20 === 0) await after.page.mouse.click(640, 400);
    return holdsLogin(login);
  });
  await after.close();
  await service.end(next);
});

/** Logs in, and lets the browser save the password. */
async function logIn(viewer: Viewer, page: HostedPage): Promise<void> {
  const landed = page.loads + 1;
  await page.run(`document.forms[0].action += location.search`);
  await viewer.page.mouse.click(640, 400);
  for (const text of [USER, PASSWORD]) {
    await viewer.page.keyboard.press('Tab');
    await viewer.page.keyboard.type(text);
  }
  await until('the login is typed in', () => holdsLogin(page));
  await viewer.page.keyboard.press('Enter');
  await page.loaded(landed);
  await until('the browser offers to keep the login', async () => saveButton(await viewer.picture()));
  // Wait first: the button is still moving, and the browser ignores clicks right after a dialog appears.
  await viewer.atRest();
  const button = saveButton(await viewer.picture());
  assert.ok(button);
  await viewer.page.mouse.click(button.x, button.y);
  await until('the browser keeps the login', async () => !saveButton(await viewer.picture()));
}

async function holdsLogin(page: HostedPage): Promise<boolean> {
  const values = await page.run('[user.value, password.value]');
  return isDeepStrictEqual(values, [USER, PASSWORD]);
}

/** The middle of the one button in the strong colour of "Save password?". */
function saveButton({ width, height, data }: PNG): { x: number; y: number } | undefined {
  // The colour is darker or lighter while the pointer is over the button.
  const [strong, tolerance, least] = [[20, 90, 200], 20, 60] as const;
  const isStrong = (x: number, y: number) =>
    strong.every((part, index) => Math.abs((data[(y * width + x) * 4 + index] ?? 0) - part) <= tolerance);
  for (let y = 0; y < height; y += 4) {
    let run = 0;
    for (let x = 0; x < width; x++) {
      run = isStrong(x, y) ? run + 1 : 0;
      if (run > least) return { x: x - least / 2, y: y + 8 };
    }
  }
  return undefined;
}

async function bookmark(session: { embed_url: string; admin_token: string }): Promise<void> {
  const file = `<DL><DT><A HREF="${site.url}/kept">${BOOKMARK}</A></DL>`;
  const answer = await askSession(session, 'POST', 'bookmarks', file, { 'content-type': 'text/html' });
  assert.deepEqual(answer, { bookmarks: 1 });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HostSession } from '../../../../server/src/host-protocol.js';
import { coldReason, launchKey, warmSession } from '../../../../server/src/launch-key.js';
import { hostSessionOf } from '../../../../server/src/sessions/settings/host-session.js';
import { DEFAULT_SETTINGS } from '../../../../server/src/sessions/settings/default-settings.js';
import { NO_SECRETS } from '../../../../server/src/sessions/settings/session-settings.js';

const session = (changes: Partial<HostSession> = {}): HostSession => ({
  ...hostSessionOf('a-session', DEFAULT_SETTINGS, NO_SECRETS, 'admin-token'),
  ...changes,
});
const PROXY = { pac: 'PROXY proxy.example:80', username: 'user', password: 'secret' };

describe('a launch key', () => {
  const fixed: Partial<HostSession>[] = [
    { kiosk: true },
    { dark: true },
    { webgl: true },
    { draw: true },
    { adblock: true },
    { userAgent: 'chrome_android' },
    { touchGestures: { swipe: true, pinch: true } },
    { locale: { languages: ['de'], country: null } },
    { locale: { languages: [], country: 'DE' } },
    { pixelRatio: 2 },
    { followsRatio: true },
    { searchEngine: { name: 'x', keyword: 'x', url: 'https://x.example/?q={searchTerms}' } },
    { fieldMasking: [{ matches: ['*'], selectors: ['input'] }] },
  ];
  for (const changes of fixed) {
    it(`differs for settings that are fixed at the launch: ${JSON.stringify(changes)}`, () => {
      const before = session();
      const opposite = Object.fromEntries(
        Object.entries(changes).map(([name, value]) => [
          name,
          typeof value === 'boolean' ? !before[name as keyof HostSession] : value,
        ]),
      );
      assert.notEqual(launchKey(session(opposite)), launchKey(before));
    });
  }

  it('is equal for settings that a running browser can change', () => {
    const later: Partial<HostSession> = {
      sessionId: 'another',
      adminTokenHash: 'another',
      startUrl: 'https://example.com/',
      width: 641,
      height: 481,
      fps: 25,
      hideCursor: true,
      maxArea: 10_000_000,
      quality: 'blocky',
      httpProxy: PROXY,
    };
    assert.equal(launchKey(session(later)), launchKey(session()));
  });

  it('does not depend on the pixel ratio in auto mode', () => {
    const follows = (pixelRatio: number) => launchKey(session({ followsRatio: true, pixelRatio }));
    assert.equal(follows(1), follows(2));
  });

  it('does not depend on the order of names', () => {
    const turned = Object.fromEntries(Object.entries(session()).reverse()) as unknown as HostSession;
    assert.equal(launchKey(turned), launchKey(session()));
  });
});

describe('a session starts cold', () => {
  it('with a profile to load or save, or with restored tabs', () => {
    assert.equal(coldReason(session(), true), 'profile');
    assert.equal(coldReason(session({ keepProfile: true }), false), 'profile');
    assert.equal(coldReason(session({ restoreTabs: true }), false), 'profile');
  });

  it('with an extension', () => {
    assert.equal(coldReason(session({ extension: { 'manifest.json': '' } }), false), 'extension');
  });

  it('in no other case', () => {
    assert.equal(coldReason(session({ httpProxy: PROXY }), false), undefined);
  });
});

describe('the settings of a warm browser', () => {
  const asker = {
    startUrl: 'https://secret.example/',
    httpProxy: PROXY,
    hideCursor: true,
    keepProfile: true,
  };
  const more = { tenantId: 'a field that somebody adds' } as Partial<HostSession>;
  const warm = warmSession(session({ ...asker, ...more }));

  it('have the launch key of the session that they are made from', () => {
    assert.equal(launchKey(warm), launchKey(session(asker)));
  });

  it('contain nothing private of that session', () => {
    assert.doesNotMatch(JSON.stringify(warm), /secret|a-session|somebody/);
    assert.equal(warm.startUrl, 'about:blank');
    assert.equal(warm.adminTokenHash, '');
    assert.equal(warm.keepProfile, false);
  });

  it("have that session's screen, so that it need not change", () => {
    const { width, height, fps } = warmSession(session({ width: 801, height: 601, fps: 30 }));
    assert.deepEqual([width, height, fps], [801, 601, 30]);
  });
});

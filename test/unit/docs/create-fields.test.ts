import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createSessionType } from '../../../scripts/lib/create-session-type.mjs';
import { fieldsHelp, withFieldsTable } from '../../../server/src/create-fields/field-texts.js';
import { CREATE_FIELDS, FIELD_EFFECTS } from '../../../server/src/create-fields/index.js';
import { launchKey, warmSession } from '../../../server/src/launch-key.js';
import { DEFAULT_SETTINGS } from '../../../server/src/sessions/settings/default-settings.js';
import { hostSessionOf } from '../../../server/src/sessions/settings/host-session.js';
import { NO_SECRETS } from '../../../server/src/sessions/settings/session-settings.js';
import { ROOT } from './test-titles.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the creation fields', () => {
  it('match their rows in the API guide', () => {
    const text = read('docs/api.md');
    assert.equal(text, withFieldsTable(text), 'docs/api.md is out of date: run "npm run api".');
  });

  it('match their rows in the type of cloud-browser/api', async () => {
    const file = 'src/api/create-session.ts';
    assert.equal(read(file), await createSessionType(), `${file} is out of date: run "npm run api".`);
  });

  it('match their rows in the help of the command', () => {
    for (const name of Object.keys(CREATE_FIELDS)) assert.match(fieldsHelp(), new RegExp(`^  ${name} `, 'm'));
  });

  it('state for each host setting when it takes effect', () => {
    const settings = Object.keys(hostSessionOf('id', DEFAULT_SETTINGS, NO_SECRETS, ''));
    const ofTheSession = ['sessionId', 'adminTokenHash'];
    assert.deepEqual(
      Object.keys(FIELD_EFFECTS).sort(),
      settings.filter((name) => !ofTheSession.includes(name)).sort(),
    );
  });

  it('that are fixed at the start of a browser must match those of a warm browser', () => {
    const session = hostSessionOf('id', DEFAULT_SETTINGS, NO_SECRETS, '');
    for (const [setting, effect] of Object.entries(FIELD_EFFECTS)) {
      const changed = { ...session, [setting]: 'changed' };
      // A fixed pixel ratio of the screen is also fixed at the start.
      const isFixed = effect === 'launch' || setting === 'pixelRatio';
      assert.equal(launchKey(changed) !== launchKey(session), isFixed, setting);
    }
  });

  it('that take effect later are not fixed in a warm browser', () => {
    const session = hostSessionOf('id', { ...DEFAULT_SETTINGS, hideCursor: true }, NO_SECRETS, 'token');
    const { hideCursor, sessionId, adminTokenHash } = warmSession(session);
    assert.deepEqual([hideCursor, sessionId, adminTokenHash], [false, 'warm', '']);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proveConfinement } from '../../../../server/src/startup/checks/confinement-proof.js';
import { quiet } from '../../../fakes/test-service.js';

const unused = () => assert.fail('no place was taken');

describe('the check of the sandbox when the service starts', () => {
  it('fails if no place is free for it', async () => {
    const places = { take: () => Promise.resolve(undefined), release: unused, abandon: unused };
    const egress = { open: unused, protectService: unused };
    await assert.rejects(proveConfinement(places, egress, quiet), { code: 'err_no_free_place' });
  });
});

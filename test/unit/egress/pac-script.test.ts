import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EgressGuard } from '../../../server/src/egress/guard.js';
import { NameResolver } from '../../../server/src/egress/name-resolver.js';
import { loadPacScript } from '../../../server/src/egress/pac/pac-script.js';
import { PUBLIC_ONLY } from '../../../server/src/platform/network/egress-rules.js';

const guard = new EgressGuard({
  rules: PUBLIC_ONLY,
  resolver: new NameResolver(),
  servicePort: () => undefined,
});

describe('a proxy script in a data address', () => {
  const script = '// Café, Ċ, 漢字\nreturn "DIRECT";';

  it('is decoded as UTF-8', async () => {
    for (const address of [
      `data:,${encodeURIComponent(script)}`,
      `data:,${script}`,
      `data:;base64,${Buffer.from(script).toString('base64')}`,
      `data:;base64,${encodeURIComponent(Buffer.from(script).toString('base64'))}`,
    ])
      assert.equal(await loadPacScript(guard, address), script);
  });

  it('is refused if it cannot be decoded', async () => {
    await assert.rejects(loadPacScript(guard, 'data:,%E9'), { code: 'err_egress_proxy' });
  });
});

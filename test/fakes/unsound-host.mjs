/**
 * A scripted host that exits at once while a file `hosts-exit` lies beside the runtime directory of its node.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

for (let folder = JSON.parse(process.argv[2]).directory; folder !== '/'; folder = dirname(folder))
  if (existsSync(join(folder, 'hosts-exit'))) process.exit(3);
await import('./scripted-host.mjs');

import { systemScheduler } from '../../../src/lib/clock.js';
import { findReferences } from '../../../src/secrets/find-references.js';
import { openSecrets } from '../../../src/secrets/open-secrets.js';
import type { VaultSettings } from '../../../src/settings/vault.js';
import { openHttpClient } from '../../../src/upstream/client.js';
import { memoryLog } from '../../support/memory-log.js';

// Runs in a separate process, because DEBUG is read when the packages are loaded.
const vault = JSON.parse(process.env['SETTINGS'] ?? '') as VaultSettings;
const source = openSecrets(
  { vault, secrets: { files: null } },
  {
    openHttpClient,
    env: {},
    scheduler: systemScheduler,
    log: memoryLog().log,
  },
);
const resolved = await source.resolve(findReferences(['$VAULT_a#k']).references);
await source.close();
process.stdout.write(`resolved ${[...resolved.values()].filter((one) => 'value' in one).length}\n`);

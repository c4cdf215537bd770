import { createVaultDouble } from './vault-double.js';
import type { Flavour } from './vault-double/state.js';

// Runs the double as a separate server: `node dist/test/support/vault-double-main.js [vault|openbao]` prints
// the variables that point the suite at it, and serves until it is interrupted.
const flavour: Flavour = process.argv[2] === 'openbao' ? 'openbao' : 'vault';
const { address, rootToken } = await createVaultDouble({ flavour });
process.stdout.write(`VAULT_TEST_ADDR=${address} VAULT_TEST_TOKEN=${rootToken}\n`);

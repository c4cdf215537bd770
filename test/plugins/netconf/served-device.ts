import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallResult, callUrl } from '../../support/call.js';
import { startTestServer } from '../../support/test-server.js';

/** A NETCONF server, and the credential for it: its setting, and its value, which Vault has. */
interface Served {
  readonly port: number;
  readonly fingerprint: string;
  readonly username?: string;
  readonly credential: readonly [setting: 'password' | 'privateKey', value: string];
}

/** Starts gatehouse with the adapter `router1` of a NETCONF server. */
export async function serveDevice({ port, fingerprint, username = 'gatehouse', credential }: Served) {
  const [setting, value] = credential;
  const gatehouse = await startTestServer({
    arrange(folder, vault) {
      rmSync(join(folder, 'adapters', 'core1.yaml'));
      vault.putSecret({ path: 'adapters/router1' }, { credential: value });
      const file = `plugin: netconf
baseUrl: https://127.0.0.1
options:
  host: 127.0.0.1
  port: ${port}
  ssh:
    username: ${username}
    ${setting}: $VAULT_adapters/router1#credential
    hostKeys: ['${fingerprint}']
`;
      writeFileSync(join(folder, 'adapters', 'router1.yaml'), file);
    },
  });
  const token = (): string => gatehouse.issueToken('admin');
  return {
    url: gatehouse.url,
    token,
    close: () => gatehouse.close(),
    /** Sends restQuery or restAction. */
    call: (operation: 'restQuery' | 'restAction', params: object, body?: object): Promise<CallResult> =>
      callUrl(`${gatehouse.url}/orchestrator_manager/${operation}/router1`, {
        token: token(),
        body: { params: { accept: 'application/json', ...params }, ...(body && { body }) },
      }),
  };
}

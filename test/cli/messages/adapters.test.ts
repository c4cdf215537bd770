import assert from 'node:assert/strict';
import { checkMistake } from '../../support/mistakes.js';

const ADAPTER = 'plugin: restconf\nbaseUrl: http://127.0.0.1:9\n';
const BASE_URL =
  'must be an http or https URL without credentials, query and fragment, for example https://nso.example:8888';
const NO_PLUGIN =
  '1:1 /plugin: is missing | Add "plugin": Plugin for this kind of orchestrator: http-rest, restconf, netconf, itential-adapter, or the name of an installed npm package. For example http-rest.';
const NO_BASE_URL =
  '1:1 /baseUrl: is missing | Add "baseUrl": Base URL of the orchestrator; every path stays below it. For example https://nso.example:8888.';
const AUTH_TYPES = 'none, basic, bearer, header, query, oauth2, login';
const VAULT = 'vault: { address: "https://vault.example:8200", auth: { method: token } }\n';
const SYNTAX =
  'Write "$VAULT_<path>#<field>", for example "$VAULT_adapters/nso1#password"; a text that is meant literally begins with "$$".';

interface Row {
  readonly mistake: string;
  /** The file of the adapter. */
  readonly adapter: string;
  readonly main?: string;
  /** `LINE:COLUMN POINTER: MESSAGE | FIX` of each fault. */
  readonly says: readonly string[];
}

const rows: readonly Row[] = [
  { mistake: 'A01 no plugin', adapter: 'baseUrl: http://127.0.0.1:9\n', says: [NO_PLUGIN] },
  { mistake: 'A02 a misspelt plugin', adapter: ADAPTER.replace('restconf', 'restcnf'), says: ['1:9 /plugin: there is no such adapter plugin; did you mean "restconf"? | Use one of http-rest, itential-adapter, netconf, restconf, or install the npm package of this name beside the configuration.'] },
  { mistake: 'A03 no base URL', adapter: 'plugin: restconf\n', says: [NO_BASE_URL] },
  { mistake: 'A04 a base URL without a scheme', adapter: 'plugin: restconf\nbaseUrl: nso.example:8888\n', says: [`2:10 /baseUrl: ${BASE_URL} | Write http:// or https:// before the host.`] },
  { mistake: 'A05 credentials in the base URL', adapter: 'plugin: restconf\nbaseUrl: https://u:hunter22@nso.example\n', says: [`2:10 /baseUrl: ${BASE_URL} | Remove the user name and the password from the URL.`] },
  { mistake: 'A05 a query in the base URL', adapter: 'plugin: restconf\nbaseUrl: https://nso.example/?a=b\n', says: [`2:10 /baseUrl: ${BASE_URL} | Remove everything from the "?" or "#" on.`] },
  { mistake: 'A06 a misspelt kind of credentials', adapter: `${ADAPTER}auth: { type: oauth }\n`, says: [`3:15 /auth/type: must be one of ${AUTH_TYPES}; did you mean "oauth2"? | Write one of these values.`] },
  { mistake: 'A06 credentials without their kind', adapter: `${ADAPTER}auth: { username: admin }\n`, says: [`3:7 /auth/type: is missing | Add "type": Use ${AUTH_TYPES}.`] },
  { mistake: 'A07 no password', adapter: `${ADAPTER}auth: { type: basic, username: admin }\n`, says: ['3:7 /auth/password: is missing | Add "password": Password of the user. Write a reference such as $VAULT_adapters/nso1#password.'] },
  { mistake: 'A09 a misspelt option', adapter: 'plugin: http-rest\nbaseUrl: http://127.0.0.1:9\noptions: { header: {} }\n', says: ['3:12 /options/header: is not known here; known: headers, paging; did you mean "headers"? | Correct the name, or remove the member.'] },
  { mistake: 'A10 an adapterId that is also in the main file', main: 'adapters: { nso1: { plugin: restconf, baseUrl: "http://127.0.0.1:9" } }\n', adapter: ADAPTER, says: ['1:13 /adapters/nso1: is also defined in adapters/nso1.yaml | Keep one of the two.'] },
  { mistake: 'A12 an empty file', adapter: '', says: [NO_BASE_URL, NO_PLUGIN] },
  { mistake: 'A13 a retry of a method that changes state', adapter: `${ADAPTER}retry: { methods: [POST] }\n`, says: ['3:20 /retry/methods/0: must be GET, HEAD or OPTIONS: a request that changes state is never sent twice | Write one of these values.'] },
  { mistake: 'A14 a missing file of an authority', adapter: `${ADAPTER}tls: { caFile: missing.pem }\n`, says: ['3:16 /tls/caFile: names a file that cannot be read (ENOENT) | Name a PEM file with certificates that the service may read.'] },
  { mistake: 'V01 a reference without a Vault', adapter: `${ADAPTER}auth: { type: bearer, token: $VAULT_x#y }\n`, says: ['3:30 /auth/token: The value is a reference to Vault, and no Vault is configured | Add a "vault" block with address and auth to the configuration.'] },
  { mistake: 'V06 a reference in the syntax of another tool', main: VAULT, adapter: `${ADAPTER}auth: { type: bearer, token: "vault://x#y" }\n`, says: [`3:30 /auth/token: The reference is a reference in the syntax of another tool | ${SYNTAX}`] },
  { mistake: 'V07 a reference in lower case', main: VAULT, adapter: `${ADAPTER}auth: { type: bearer, token: "$vault_x#y" }\n`, says: [`3:30 /auth/token: The reference does not begin with "$VAULT_" exactly | ${SYNTAX}`] },
  { mistake: 'V14 an encrypted value of the platform', main: VAULT, adapter: `${ADAPTER}auth: { type: bearer, token: $ENC0123456789abcdef }\n`, says: ['3:30 /auth/token: "$ENC…(20 chars)" is a value encrypted by the platform, and no key for it exists here | Store the secret in Vault and write "$VAULT_<path>#<field>" instead ("gatehouse secrets migrate" proposes it); a text that is meant literally begins with "$$".'] },
]; // prettier-ignore

describe('gatehouse check tells how to correct', () => {
  for (const { mistake, says, adapter, main = '' } of rows)
    it(mistake, async () => {
      const { faults } = await checkMistake({ main, files: { 'adapters/nso1.yaml': adapter } });
      const file = mistake.startsWith('A10') ? 'gatehouse.yaml' : 'adapters/nso1.yaml';
      assert.deepEqual(
        faults,
        says.map((fault) => `${file}:${fault}`),
      );
    });

  it('V08 a field that is a comment, as a warning', async () => {
    const token = (text: string) =>
      checkMistake({
        main: VAULT,
        files: { 'adapters/nso1.yaml': `${ADAPTER}auth:\n  type: bearer\n  token: ${text}\n` },
      });
    const { faults, warnings } = await token('$VAULT_adapters/nso1 #token');
    assert.deepEqual(faults, []);
    assert.equal(
      warnings,
      'warning: adapters/nso1.yaml:5:10 /auth/token: is a reference without a field, because the blank before "#" begins a comment [reference]\n    Remove the blank before "#", or write a blank after "#" if the word is a comment.\n',
    );
    assert.equal((await token('$VAULT_adapters/nso1 # token')).warnings, '');
  });
});

describe('an option of a plugin beside the settings of its adapter', () => {
  it('is to be written below options (bug: the fix was to remove it)', async () => {
    const adapter = 'plugin: http-rest\nbaseUrl: http://127.0.0.1:9\npaging: { lists: [] }\n';
    const { faults } = await checkMistake({ files: { 'adapters/nso1.yaml': adapter } });
    assert.match(
      faults.join('\n'),
      /nso1\.yaml:3:1 \/paging: is not known here.* \| Write it below "options": it is an option of the plugin\.$/,
    );
  });
});

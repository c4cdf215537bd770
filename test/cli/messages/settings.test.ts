import assert from 'node:assert/strict';
import { checkMistake } from '../../support/mistakes.js';

const PUBLIC_KEY_ALGORITHMS = 'RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519';
const FORMS_OPERATIONS =
  'createForm, getForms, getFormById, getFormSubtrees, getFormHistory, updateForm, deleteForms, importForms, validateData, validateForm, decodeSchema, yangToSchema';

const issuer = (members: string): string =>
  `auth: { issuers: [{ issuer: https://idp.example, audience: a, ${members} }] }\n`;
const user = (members: string): string =>
  `auth: { local: { users: [{ username: ada, ${members}, roles: [admin] }] } }\n`;

interface Row {
  readonly mistake: string;
  readonly main: string;
  /** `LINE:COLUMN POINTER: MESSAGE | FIX` of each fault. */
  readonly says: readonly string[];
}

const rows: readonly Row[] = [
  { mistake: 'T01 an issuer without algorithms', main: issuer('discovery: true'), says: [`1:19 /auth/issuers/0/algorithms: is missing | Add "algorithms": Accepted signature algorithms. With a secret: HS256, HS384, HS512. With any other key: ${PUBLIC_KEY_ALGORITHMS}.`] },
  { mistake: 'T02 an HMAC algorithm with a public key', main: issuer('discovery: true, algorithms: [HS256]'), says: [`1:93 /auth/issuers/0/algorithms/0: must be one of ${PUBLIC_KEY_ALGORITHMS} with a public key | Write one of these values.`] },
  { mistake: 'T03 the password of a user in place of its hash', main: user('password: hunter22'), says: ['1:26 /auth/local/users/0/passwordHash: is missing | Add "passwordHash": scrypt hash, created with: gatehouse hash.', '1:43 /auth/local/users/0/password: is not known here; known: username, passwordHash, roles; did you mean "passwordHash"? | Correct the name, or remove the member.'] },
  { mistake: 'T04 a hash of another program', main: user('passwordHash: $2b$10$abc'), says: ['1:57 /auth/local/users/0/passwordHash: is not of the form $scrypt$ln=17,r=8,p=1$salt$hash | Create the hash with: gatehouse hash'] },
  { mistake: 'T05 a misspelt operation', main: 'roles: { json-forms.getFroms: [admin] }\n', says: [`1:31 /roles/json-forms.getFroms: there is no such operation; did you mean "json-forms.getForms"? | The application json-forms has the operations ${FORMS_OPERATIONS}.`] },
  { mistake: 'T05 an operation without its application', main: 'roles: { restQuery: [admin] }\n', says: ['1:21 /roles/restQuery: there is no such operation; did you mean "orchestrator-manager.restQuery"? | Write APPLICATION.OPERATION, for example orchestrator-manager.restQuery.'] },
  { mistake: 'T05 an operation of an unknown application', main: 'roles: { frobnicate.run: [admin] }\n', says: ['1:26 /roles/frobnicate.run: there is no such operation | Write APPLICATION.OPERATION, for example orchestrator-manager.restQuery. The applications are tools, orchestrator-manager, json-forms, tasks, login, adapters, applications, profiles, health, schema, platform, audit, access, access-rules, limits, documentation, console, notifications, deprecations, proxy.'] },
  { mistake: 'T06 the address of a key set without a scheme', main: issuer('jwksUri: idp.example/keys, algorithms: [RS256]'), says: ['1:72 /auth/issuers/0/jwksUri: must be an http or https URL without credentials | Write http:// or https:// before the host.'] },
  { mistake: 'T07 a claim that is no JSON pointer', main: issuer('discovery: true, algorithms: [RS256], rolesClaim: roles'), says: ['1:113 /auth/issuers/0/rolesClaim: must be a JSON pointer such as /realm_access/roles | Write the value in this form.'] },
  { mistake: 'E01 a prefix that is too long', main: 'egress: { allow: ["10.0.0.0/33"] }\n', says: ['1:19 /egress/allow/0: has a prefix length beyond 32 | Write host, host:port, 10.0.0.0/8, 10.0.0.0/8:443, [2001:db8::1]:443 or [2001:db8::/32]:443.'] },
  { mistake: 'E02 a URL as a target', main: 'egress: { allow: ["https://api.example"] }\n', says: ['1:19 /egress/allow/0: must be a host, host:port, CIDR or CIDR:port, for example 10.20.0.0/16:443 | Write the value in this form.'] },
  { mistake: 'S01 a database of another kind', main: 'storage: { url: mysql://db }\n', says: ['1:17 /storage/url: must be a URL such as sqlite:../data/gatehouse.db or postgres://user@host:5432/gatehouse | Write the value in this form.'] },
  { mistake: 'S04 the address of a gRPC collector', main: 'tracing: { otlpEndpoint: grpc://127.0.0.1 }\n', says: ['1:26 /tracing/otlpEndpoint: must be an http or https URL without credentials, for example http://127.0.0.1:4318 | Write http:// or https:// as the scheme.'] },
  { mistake: 'S05 a certificate without its key', main: 'server: { tls: { certFile: a.pem } }\n', says: ['1:16 /server/tls/keyFile: is missing | Add "keyFile": PEM file of the private key.'] },
]; // prettier-ignore

describe('gatehouse check tells how to correct', () => {
  for (const { mistake, says, main } of rows)
    it(mistake, async () => {
      const { faults } = await checkMistake({ main });
      assert.deepEqual(
        faults,
        says.map((fault) => `gatehouse.yaml:${fault}`),
      );
    });

  it('a file of an adapter in the place of the main file, and the reverse', async () => {
    const main = 'plugin: restconf\nbaseUrl: https://nso.example\nstub: true\n';
    assert.deepEqual((await checkMistake({ main })).faults, [
      'gatehouse.yaml:1:1 : is the file of an adapter, not the main file | Name the main file with --config: gatehouse.yaml beside the folder adapters.',
    ]);
    const files = { 'adapters/other.yaml': 'server: { listen: 127.0.0.1:3000 }\nlog: { level: info }\n' };
    assert.deepEqual((await checkMistake({ main: '{}\n', files })).faults, [
      'adapters/other.yaml:1:1 : is a main file, not the file of an adapter | Move it out of the folder adapters, which is for one file for each adapter.',
    ]);
  });

  it('an object or a URL that is written as a text', async () => {
    const main = 'server:\n  listen:127.0.0.1:3000\n';
    const files = { 'adapters/a.yaml': 'plugin: restconf\nbaseUrl: \u201chttps://nso.example\u201d\n' };
    const { faults } = await checkMistake({ main, files });
    assert.match(
      faults[0] ?? '',
      /\/server: must be an object .*\| Write a space after the colon of the name\.$/,
    );
    assert.match(
      faults[1] ?? '',
      /\/baseUrl: .*\| Write plain quotes: " in place of the typographic ones\.$/,
    );
  });

  it('a port beyond the last one, and a path behind an origin', async () => {
    const files = { 'adapters/a.yaml': 'plugin: restconf\nbaseUrl: https://nso.example:88888/x\n' };
    const main = 'server: { publicUrl: https://gateway.example/x/ }\n';
    const { faults } = await checkMistake({ main, files });
    assert.match(faults[0] ?? '', /publicUrl: .* \| Remove what follows the host and the port\.$/);
    assert.match(faults[1] ?? '', /baseUrl: .* \| Write a port from 1 to 65535 after the host\.$/);
  });

  it('S03 a syslog receiver without a port, as a warning', async () => {
    const { faults, warnings } = await checkMistake({ main: 'log: { syslog: { url: udp://127.0.0.1 } }\n' });
    assert.deepEqual(faults, []);
    assert.equal(
      warnings,
      'warning: gatehouse.yaml:1:23 /log/syslog/url: names no port, so the messages go to port 514 [syslog]\n    Write the port of the receiver, for example udp://HOST:514.\n',
    );
    const withPort = await checkMistake({ main: 'log: { syslog: { url: "udp://127.0.0.1:514" } }\n' });
    assert.equal(withPort.warnings, '');
  });

  it('prints no more than 20 operations or applications on a line', async () => {
    const { faults } = await checkMistake({ main: 'roles: { adapters.frobnicate: [admin], x: [admin] }\n' });
    for (const fault of faults)
      assert.ok(
        fault
          .split(/ are |operations /)
          .at(-1)!
          .split(', ').length <= 20,
        fault,
      );
  });
});

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { runCommand } from '../support/command-io.js';
import { KEYCLOAK } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type KeycloakSite, useKeycloakSite } from './gatehouse.js';

describeWith(KEYCLOAK, 'gatehouse check --probe with a real Keycloak', () => {
  let site: KeycloakSite;
  let right = '';
  useKeycloakSite((started) => {
    site = started;
    right = readFileSync(site.configPath, 'utf8');
  });

  /** Checks the configuration with some text replaced. Returns the exit code and the output. */
  async function probe(from = '', to = ''): Promise<{ readonly code: number; readonly out: string }> {
    assert.ok(right.includes(from));
    writeFileSync(site.configPath, right.replace(from, to));
    try {
      return await runCommand(['check', '--probe', '--config', site.configPath]);
    } finally {
      writeFileSync(site.configPath, right);
    }
  }

  it('finds no fault in the configuration of the guide', async () => {
    const { code, out } = await probe();
    assert.equal(code, 0, out);
  });

  it('finds wrong spellings of the issuer, and names the right one', async () => {
    const { issuer, name } = site.realm;
    const advice = `Write issuer: ${issuer} - `;
    for (const [wrong, message, fix] of [
      [`${issuer}/`, 'the trailing slash differs', advice],
      [issuer.replace('http:', 'https:'), 'does not speak TLS on this port', advice],
      [issuer.replace('/realms/', '/auth/realms/'), 'answers with status 404', advice],
      [`${issuer}x`, 'answers with status 404', `Check the name of the realm, "${name}x"`],
    ] as const) {
      const { code, out } = await probe(`issuer: ${issuer}`, `issuer: ${wrong}`);
      assert.equal(code, 78, out);
      assert.ok(out.includes('/auth/issuers/0/issuer: ') && out.includes(message) && out.includes(fix), out);
    }
  });

  it('finds a redirect URI that Keycloak does not know, a wrong secret, and an algorithm without a key', async () => {
    const unknown = await probe(`publicUrl: "${site.url}"`, 'publicUrl: "http://127.0.0.1:9"');
    assert.match(
      unknown.out,
      /clientId: is refused by the issuer with status 400, with the redirect URI http:\/\/127\.0\.0\.1:9\//,
    );
    const secret = await probe(site.realm.secret, 'another-secret');
    assert.match(secret.out, /clientSecret: is refused by the issuer \(unauthorized_client\)/);
    const algorithm = await probe('[RS256]', '[ES256]');
    assert.match(algorithm.out, /has ES256, for which the issuer publishes no key/);
    for (const { code } of [unknown, secret, algorithm]) assert.equal(code, 78);
  });
});

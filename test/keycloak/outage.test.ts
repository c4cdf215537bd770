import assert from 'node:assert/strict';
import { KEYCLOAK } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { openedBySuite } from '../support/opened.js';
import { startTcpRelay, type TcpRelay } from '../support/tcp-relay.js';
import { eventually } from '../support/until.js';
import { type KeycloakSite, REALM_MS, useKeycloakSite } from './gatehouse.js';

describeWith(KEYCLOAK, 'an outage of a real Keycloak', function () {
  this.timeout(REALM_MS);
  let site: KeycloakSite;
  let relay: TcpRelay;
  const opened = openedBySuite();
  useKeycloakSite(
    (started) => {
      site = started;
    },
    async (url) => {
      relay = await opened(startTcpRelay(() => Number(new URL(url).port)));
      return `http://127.0.0.1:${relay.port}`;
    },
  );
  afterEach(() => {
    relay.mend();
  });

  it('ends no session, and refuses no token, also one that was never seen before', async () => {
    const browser = await site.signIn();
    const [seen, unseen] = [await site.realm.tokenOf('alice'), await site.realm.tokenOf('bob')];
    assert.equal((await site.call('/whoami', seen)).status, 200);
    relay.cut();
    for (const token of [seen, unseen]) assert.equal((await site.call('/whoami', token)).status, 200);
    assert.equal((await browser.fetch('GET', `${site.url}/whoami`)).status, 200);
    relay.mend();
    await eventually(async () => {
      await site.signIn();
    });
  });

  it('lets gatehouse start: tokens get 503 with Retry-After, and are accepted by themselves when Keycloak is back', async () => {
    const token = await site.realm.tokenOf('alice');
    await site.restart(() => {
      relay.cut();
    });
    const { status, headers, text } = await site.call('/whoami', token);
    assert.equal(status, 503, text);
    assert.ok(Number(headers['retry-after']) > 0);
    relay.mend();
    await eventually(async () => {
      assert.equal((await site.call('/whoami', token)).status, 200);
    });
  });
});

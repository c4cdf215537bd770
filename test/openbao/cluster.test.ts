import assert from 'node:assert/strict';
import { type Certificate, makeCertificate } from '../support/certificates.js';
import { OPENBAO } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { type OpenBao, startOpenBao } from '../support/openbao.js';
import { eventually } from '../support/until.js';
import { type Bench, createAppRole, openBench, withGatehouse } from './bench.js';
import { type Gatehouse, raft, tlsServer } from './gatehouse.js';

// Two nodes keep no quorum when one of them ends, so that only changes of the active node are tested here.
describeWith(OPENBAO, 'two nodes of a real OpenBao', () => {
  let certificate: Certificate;
  let bench: Bench;
  let second: OpenBao;
  before(async () => {
    certificate = await makeCertificate({ ip: '127.0.0.1' });
    bench = await openBench({
      scheme: 'https',
      config: (place) => tlsServer(place, certificate, raft(place)),
    });
    second = await startOpenBao({
      scheme: 'https',
      config: (place) => tlsServer(place, certificate, raft(place, joining(bench.bao, certificate))),
    });
    await second.unseal(bench.bao.unsealKey);
  });
  after(async () => {
    await second.close();
    await bench.close();
  });

  const withBoth = async (work: (gatehouse: Gatehouse) => Promise<void>): Promise<void> => {
    const { auth, files } = await createAppRole(bench.bao, 'cluster', { token_ttl: '1h' });
    const config = bench.configuration([auth, 'tls: { caFile: ca.pem }'], {
      ...files,
      'ca.pem': certificate.cert,
    });
    const [, ...lines] = config.vault;
    const address = `address: [${bench.bao.address}, ${second.address}]`;
    await withGatehouse({ ...config, vault: [address, ...lines] }, work);
  };
  /** Returns true for the node that is active. */
  const isActive = async (node: OpenBao): Promise<boolean> =>
    (await node.ask('GET', 'sys/health', { token: '', allow: [429, 503] })).status === 200;
  const putVersion = (node: OpenBao, note: string): Promise<unknown> =>
    node.ask('POST', 'secret/data/adapters/nso1', {
      token: bench.bao.token,
      body: { data: { password: 'pw-of-the-orchestrator', note } },
    });

  it('V-09 a standby alone answers reads and logins', async () => {
    const { auth, files } = await createAppRole(bench.bao, 'standby');
    const config = bench.configuration([auth, 'tls: { caFile: ca.pem }'], {
      ...files,
      'ca.pem': certificate.cert,
    });
    const [, ...lines] = config.vault;
    assert.equal(await isActive(second), false);
    await withGatehouse({ ...config, vault: [`address: ${second.address}`, ...lines] }, async (gatehouse) => {
      assert.equal((await gatehouse.call('nso1')).status, 200, gatehouse.log());
    });
  });

  it('V-09 a change of the active node fails no call and no read', async () => {
    await withBoth(async (gatehouse) => {
      assert.equal((await gatehouse.call('nso1')).status, 200);
      await bench.bao.ask('PUT', 'sys/step-down');
      assert.equal((await gatehouse.call('nso1')).status, 200);
      let active: OpenBao | undefined;
      await eventually(async () => {
        active = (await isActive(second)) ? second : (await isActive(bench.bao)) ? bench.bao : undefined;
        assert.ok(active);
      });
      await putVersion(active!, 'after the step-down');
      await gatehouse.server.reload();
      assert.equal((await gatehouse.call('nso1')).status, 200);
      assert.doesNotMatch(gatehouse.log(), /"level":"error"/);
    });
  });

  it('V-09 a node that does not answer is replaced by the other one', async () => {
    await withBoth(async (gatehouse) => {
      // The active node stays, so that the cluster has its quorum again when the other node goes on.
      const standby = (await isActive(second)) ? bench.bao : second;
      standby.signal('SIGSTOP');
      try {
        await gatehouse.server.reload();
        assert.equal((await gatehouse.call('nso1')).status, 200);
      } finally {
        standby.signal('SIGCONT');
      }
      assert.doesNotMatch(gatehouse.log(), /secret not confirmed/);
    });
  });
});

/** Returns the lines that make a node join the cluster of another node. */
function joining({ address }: OpenBao, { cert }: Certificate): string {
  return `  retry_join {
    leader_api_addr = "${address}"
    leader_ca_cert = <<PEM
${cert.trim()}
PEM
  }
`;
}

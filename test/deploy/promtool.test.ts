import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../docs/markdown.js';
import { callUrl } from '../support/call.js';
import { PROMTOOL } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { startTestServer } from '../support/test-server.js';

/** Runs promtool. The output is empty when it has no remark. */
function promtool(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' });
  return { status, out: stdout + stderr };
}

describeWith(PROMTOOL, 'Prometheus itself', () => {
  it('accepts the names, types and help of all metrics', async () => {
    const testServer = await startTestServer();
    const token = testServer.issueToken('admin');
    try {
      const body = { params: { path: '/restconf/data', accept: 'application/yang-data+json' } };
      await callUrl(`${testServer.url}/orchestrator_manager/restQuery/core1`, { token, body });
      const { text } = await callUrl(`${testServer.url}/metrics`, { method: 'GET', token });
      assert.deepEqual(promtool(['check', 'metrics'], text), { status: 0, out: '' });
      assert.equal(promtool(['check', 'metrics'], '# TYPE a_total gauge\na_total 1\n').status, 3);
    } finally {
      await testServer.close();
    }
  });

  it('accepts the alerts', () => {
    const alerts = join(ROOT, 'deploy/prometheus/alerts.yaml');
    const { status, out } = promtool(['check', 'rules', '--lint=all', '--lint-fatal', alerts]);
    assert.equal(status, 0, out);
    assert.match(out, /SUCCESS: \d+ rules found/);
  });
});

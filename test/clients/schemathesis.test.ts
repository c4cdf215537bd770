import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callUrl } from '../support/call.js';
import { apiToolNeed, NETWORK_NAMESPACES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { ACCEPTED_FAILURES, type AcceptedFailure } from './accepted-failures.js';
import { inNetworkNamespace } from './network-namespace.js';
import { mustRun } from './run-program.js';
import { type CheckFailure, readReport, type SchemathesisResult } from './schemathesis-report.js';
import { apiTool } from './tools.js';

const RUNNER = fileURLToPath(new URL('schemathesis-run.js', import.meta.url));

/** Roles of the callers; `none` sends no token. */
const CALLERS = ['admin', 'engineering', 'none'] as const;

const OPTIONS = [
  ...['--checks', 'all', '--phases', 'examples,coverage,fuzzing,stateful', '--continue-on-failure'],
  // The same requests in every run, as far as they do not depend on responses.
  ...['--seed', '1', '--generation-database', 'none', '--max-examples', '8'],
  ...['--no-shrink', '--suppress-health-check', 'all', '--no-color'],
  // A stream of events never ends.
  ...['--exclude-operation-id', 'getEvents', '--exclude-operation-id', 'getTaskEvents'],
  // Revokes the token with which all other requests are sent.
  ...['--exclude-operation-id', 'closeSession'],
];

/** Phases that send the same requests in every run. */
const FIXED_PHASES = ['examples', 'coverage'];

/** The number of failures that one assertion prints. */
const MAX_PRINTED = 20;

function accepts(entry: AcceptedFailure, { check, operation, answer, about }: CheckFailure): boolean {
  const isSameOperation = entry.operation === '*' || entry.operation === operation;
  const isSameAnswer = entry.check === check && entry.answer === answer;
  return isSameOperation && isSameAnswer && (entry.exchange?.test(about) ?? true);
}

describeWith(
  [apiToolNeed('schemathesis'), apiToolNeed('python'), NETWORK_NAMESPACES],
  'schemathesis',
  function () {
    this.timeout(1_800_000);
    const results = new Map<string, SchemathesisResult>();

    before(async () => {
      const program = apiTool('schemathesis');
      const python = apiTool('python');
      const run = async (caller: string): Promise<void> => {
        const folder = temporaryFolder().path;
        mkdirSync(join(folder, 'server'));
        const report = join(folder, 'report.ndjson');
        const options = [...OPTIONS, '--report', 'ndjson', '--report-ndjson-path', report];
        const command = [process.execPath, RUNNER, program, caller, folder, ...options];
        await mustRun(inNetworkNamespace(python, command), { cwd: folder });
        results.set(caller, await readReport(report));
        rmSync(report);
      };
      await Promise.all(CALLERS.map(run));
    });

    for (const caller of CALLERS)
      it(`finds no failure with ${caller === 'none' ? 'no token' : `a token of the role ${caller}`}, except the accepted ones`, () => {
        const { requests, failures, errors } = results.get(caller)!;
        assert.deepEqual(errors, []);
        assert.ok(requests > 3_000, `only ${requests} requests`);
        const unknown = new Map(
          failures
            .filter((failure) => !ACCEPTED_FAILURES.some((entry) => accepts(entry, failure)))
            .map((failure) => [`${failure.check} ${failure.operation} ${failure.answer}`, failure]),
        );
        const printed = [...unknown]
          .slice(0, MAX_PRINTED)
          .map(([name, { phase, about }]) => `${name}, phase ${phase}: ${about}`);
        if (printed.length > 0)
          assert.fail(
            `${unknown.size} failures are not in test/clients/accepted-failures.ts:\n${printed.join('\n')}`,
          );
      });

    it('finds every accepted failure in the phases that send the same requests in every run', () => {
      const found = [...results.values()]
        .flatMap(({ failures }) => failures)
        .filter(({ phase }) => FIXED_PHASES.includes(phase));
      const obsolete = ACCEPTED_FAILURES.filter(
        (entry) => !entry.requests && !found.some((failure) => accepts(entry, failure)),
      );
      assert.deepEqual(obsolete, [], 'remove these entries from test/clients/accepted-failures.ts');
    });
  },
);

describe('the accepted failures of schemathesis that only random data causes', () => {
  let server: TestServer;

  before(async () => {
    server = await startTestServer({ folder: temporaryFolder().path });
  });
  after(() => server.close());

  for (const { check, operation, answer, requests = [] } of ACCEPTED_FAILURES.filter(
    (entry) => entry.requests,
  ))
    it(`${check} of ${operation}: the server answers ${answer}`, async () => {
      let last = '';
      let id = '';
      for (const { method, path, text, headers } of requests) {
        const { status, json } = await callUrl(server.url + path.replace('{id}', id), {
          method,
          token: server.issueToken('admin'),
          headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
          ...(text !== undefined && { text }),
        });
        const created = json as { readonly id?: string; readonly doc?: { readonly id: string } } | undefined;
        id = created?.id ?? created?.doc?.id ?? '';
        last = `${status} ${(json as { readonly code?: string } | undefined)?.code ?? ''}`.trimEnd();
      }
      assert.equal(last, answer);
    });
});

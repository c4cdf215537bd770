import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../docs/markdown.js';
import { callUrl } from '../support/call.js';
import { apiToolNeed, NETWORK_NAMESPACES } from '../support/need-list.js';
import { describeWith } from '../support/needs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { startTestServer, type TestServer } from '../support/test-server.js';
import { ACCEPTED_FAILURES, type AcceptedFailure } from './accepted-failures.js';
import { inNetworkNamespace } from './network-namespace.js';
import { mustRun } from './run-program.js';
import { type CheckFailure, readReport, type SchemathesisResult } from './schemathesis-report.js';
import { apiTool } from './tools.js';

const RUNNER = fileURLToPath(new URL('schemathesis-run.js', import.meta.url));

const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, object>>;
};

/** The number of operations, except the three that are left out. */
const OPERATIONS = Object.values(paths).flatMap((item) => Object.keys(item)).length - 3;

const OPTIONS = [
  ...['--checks', 'all', '--continue-on-failure'],
  // The same requests in every run, as far as they do not depend on responses.
  ...['--seed', '1', '--generation-database', 'none'],
  ...['--no-shrink', '--suppress-health-check', 'all', '--no-color'],
  // A stream of events never ends.
  ...['--exclude-operation-id', 'getEvents', '--exclude-operation-id', 'getTaskEvents'],
  // Revokes the token with which all other requests are sent.
  ...['--exclude-operation-id', 'closeSession'],
];

const ALL_PHASES = ['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', '2'];

/** Paths with about half of the requests of the phase `coverage`. */
const HALF = '^/(json-forms|profiles|audit)';

/**
 * The runs, which share the machine. Each role sends requests to every operation; all values of all parameters only `admin`, whose
 * run also sends each request without a token.
 */
const RUNS = [
  { caller: 'admin', options: [...ALL_PHASES, '--include-path-regex', HALF] },
  { caller: 'admin', options: [...ALL_PHASES, '--exclude-path-regex', HALF] },
  { caller: 'engineering', options: ['--phases', 'examples,fuzzing', '--max-examples', '1'] },
] as const;

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
    const results: (SchemathesisResult & { readonly caller: string })[] = [];

    before(async () => {
      const program = apiTool('schemathesis');
      const python = apiTool('python');
      const run = async ({ caller, options }: (typeof RUNS)[number]): Promise<void> => {
        const folder = temporaryFolder().path;
        mkdirSync(join(folder, 'server'));
        const report = join(folder, 'report.ndjson');
        const all = [...OPTIONS, ...options, '--report', 'ndjson', '--report-ndjson-path', report];
        const command = [process.execPath, RUNNER, program, caller, folder, ...all];
        await mustRun(inNetworkNamespace(python, command), { cwd: folder });
        results.push({ caller, ...(await readReport(report)) });
        rmSync(report);
      };
      await Promise.all(RUNS.map(run));
    });

    for (const caller of new Set(RUNS.map((one) => one.caller))) {
      const own = () => results.filter((one) => one.caller === caller);

      it(`sends requests to every operation with the role ${caller}`, () => {
        assert.equal(new Set(own().flatMap(({ operations }) => operations)).size, OPERATIONS);
      });

      it(`finds no failure with the role ${caller}, except the accepted ones`, () => {
        const wrong = own().flatMap(({ errors }) => errors);
        assert.deepEqual(wrong, []);
        const unknown = new Map(
          own()
            .flatMap(({ failures }) => failures)
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
    }

    it('finds every accepted failure in the phases that send the same requests in every run', () => {
      const found = results
        .flatMap(({ failures }) => failures)
        .filter(({ phase }) => FIXED_PHASES.includes(phase));
      const obsolete = ACCEPTED_FAILURES.filter(
        (entry) => entry.requests.length === 0 && !found.some((failure) => accepts(entry, failure)),
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

  for (const { check, operation, answer, requests } of ACCEPTED_FAILURES.filter(
    (entry) => entry.requests.length > 0,
  ))
    it(`${check} of ${operation}: the server answers ${answer}`, async () => {
      let last = { id: '', answer: '' };
      for (const request of requests) last = await send(server, request.replace('{id}', last.id));
      assert.equal(last.answer, answer);
    });
});

/** Sends a request of an accepted failure. Returns the answer, and the id for the next request. */
async function send(server: TestServer, request: string): Promise<{ id: string; answer: string }> {
  const [, method = '', path = '', tag, text] = /^(\S+) (\S+)(?: if (\S+))?(?: (.*))?$/s.exec(request) ?? [];
  const { status, json } = await callUrl(server.url + path, {
    method,
    token: server.issueToken('admin'),
    headers: {
      ...(tag !== undefined && { 'if-match': tag }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
    },
    ...(text !== undefined && { text }),
  });
  const { id, doc, code = '' } = (json ?? {}) as { id?: string; doc?: { id: string }; code?: string };
  return { id: id ?? doc?.id ?? '', answer: `${status} ${code}`.trimEnd() };
}

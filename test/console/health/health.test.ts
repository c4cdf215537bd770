import assert from 'node:assert/strict';
import { type MatrixInput, matrixOf, rowKeyOf, rowRank } from '../../../console/src/pages/health/matrix.js';
import { reportOf } from '../../../console/src/pages/health/report.js';
import { observed, observedAdapter, observedIssue, rates } from '../observed.js';

describe('health: components and checks', () => {
  const service = <T extends string>(name: string, status: T) => ({ service: name, status });
  const services = [service('store', 'running' as const), service('vault', 'failed' as const)];
  const status = { host: 'edge-1', serverId: 'c826', services } as const;
  const adapters = [
    observedAdapter({ name: 'good', traffic: rates(10) }),
    observedAdapter({
      name: 'off',
      connection: 'OFFLINE',
      connectionSince: 4000,
      causes: [{ kind: 'offline', detail: 'refused' }],
    }),
    observedAdapter({ name: 'dead', state: 'DEAD', connection: 'UNKNOWN' }),
    observedAdapter({ name: 'failing', traffic: rates(10, 5) }),
    observedAdapter({ name: 'stopped', state: 'STOPPED' }),
  ];
  const findings: MatrixInput = {
    overview: observed(adapters, {
      problems: [
        observedIssue({
          ...{ id: 'v1', code: 'vault-unreachable', adapters: [], title: 'Vault does not answer' },
          ...{ cause: 'timeout', since: 7000, about: { kind: 'service', name: 'vault' } },
        }),
      ],
    }),
    status,
    applications: [{ id: 'Tools', version: '1', description: '', state: 'RUNNING' }],
    adapters: [
      { id: 'good', version: '1', description: '', state: 'RUNNING', outdated: 'the new form is dead' },
    ],
    cells: new Map([['dead', [{ at: 600_000, calls: 2, errors: 1, clientErrors: 0, p50Ms: 1, p95Ms: 1 }]]]),
    cellMs: 300_000,
  };
  const rows = matrixOf(findings);
  const row = (name: string) => rows.find((one) => one.name === name);

  it('has a row for gatehouse and for each service, application and adapter', () => {
    assert.deepEqual(
      rows.map(({ kind, name }) => `${kind} ${name}`),
      [
        ...['server gatehouse', 'service store', 'service vault', 'application Tools'],
        ...adapters.map(({ name }) => `adapter ${name}`),
      ],
    );
  });

  it('shows when each component was last healthy', () => {
    const { now } = findings.overview.server;
    const times = ['gatehouse', 'vault', 'off', 'dead', 'failing', 'stopped'].map(
      (name) => row(name)?.lastGood,
    );
    assert.deepEqual(times, [now, 7000, 4000, 900_000, null, null]);
  });

  it('shows the failed check and its cause', () => {
    assert.equal(row('failing')?.checks.calls?.word, '50 % errors');
    assert.equal(row('failing')?.checks.calls?.status, 'bad');
    assert.equal(row('good')?.checks.configuration?.word, 'Previous version');
    assert.equal(row('good')?.why, 'the new form is dead');
    assert.equal(row('vault')?.why, 'Vault is unreachable.');
    assert.ok(rowRank(row('dead')!) < rowRank(row('Tools')!));
  });

  it('creates a plain-text report with aligned columns', () => {
    const text = reportOf(findings.overview, status, rows);
    assert.match(text, /^gatehouse health, 1970-01-01T02:46:40\.000Z\n/);
    assert.match(text, /- \[danger\] Vault does not answer: timeout \(since 1970-01-01T00:00:07\.000Z\)/);
    const table = text.split('\n').filter((line) => /^(?:kind|adapter) /.test(line));
    assert.equal(new Set(table.map((line) => line.slice(9).search(/\S/))).size, 1);
    assert.match(text, /adapter +off +Running +Offline +Applied +No calls +1970-01-01T00:00:04\.000Z/);
  });

  it('groups the adapters that fail by one cause', () => {
    const names = Array.from({ length: 36 }, (_, index) => `edge${index}`);
    const [problem] = findings.overview.problems;
    assert.ok(problem);
    const group = {
      ...problem,
      code: 'adapter-unreachable',
      cause: 'the target refuses connections on this port',
      about: { kind: 'adapter', name: '' },
      adapters: names,
    } as const;
    const all = names.map((name) =>
      observedAdapter({ name, connection: 'OFFLINE', cause: `${name} refused` }),
    );
    const overview = observed([...all, ...adapters], { problems: [group] });
    const grouped = matrixOf({ ...findings, overview }).filter(({ kind }) => kind === 'adapter');
    assert.equal(grouped.length, 1 + adapters.length);
    const found = [grouped[0]?.name, grouped[0]?.why, grouped[0]?.members?.length];
    assert.deepEqual(found, ['36 adapters', group.cause, 36]);
  });

  it('has a key for each row, also for two groups of the same size', () => {
    const [problem] = findings.overview.problems;
    assert.ok(problem);
    const groups = ['a', 'b'].map((side) => ({
      ...problem,
      code: 'adapter-unreachable' as const,
      cause: `${side} refused`,
      about: { kind: 'adapter' as const, name: '' },
      adapters: [1, 2, 3].map((at) => `${side}${at}`),
    }));
    const all = groups.flatMap((group) => group.adapters.map((name) => observedAdapter({ name })));
    const overview = observed(all, { problems: groups });
    const keys = matrixOf({ ...findings, overview }).map(rowKeyOf);
    assert.equal(new Set(keys).size, keys.length, keys.join(', '));
    assert.equal(keys.filter((key) => key.includes('3 adapters')).length, 2);
  });
});

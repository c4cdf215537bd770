import assert from 'node:assert/strict';
import { formatGrouped } from '../../src/cli/check.js';
import { formatFault } from '../../src/core/fault.js';

describe('the faults that gatehouse check prints', () => {
  const faultOf = (at: number, code: string) => ({
    file: `adapters/a${at}.yaml`,
    line: 3,
    column: 5,
    pointer: '/tls/caFile',
    code,
    message: 'the certificate CN=ca of ca.pem expires on 2026-12-01T00:00:00Z',
    fix: 'Write the current CA certificates to the files.',
  });

  it('has one text for a certificate that 200 adapters use, with the places', () => {
    const faults = Array.from({ length: 200 }, (_, at) => faultOf(at, 'certificate'));
    assert.deepEqual(formatGrouped(faults), [
      `${formatFault(faults[0]!)}\n    The same in 199 other places: adapters/a1.yaml:3, adapters/a2.yaml:3, adapters/a3.yaml:3 and 196 more`,
    ]);
    const [two] = formatGrouped(faults.slice(0, 2));
    assert.match(two ?? '', /The same in 1 other place: adapters\/a1\.yaml:3$/);
  });

  it('has a text for each fault that needs its own mend', () => {
    const faults = [faultOf(1, 'schema'), faultOf(2, 'schema')];
    assert.deepEqual(formatGrouped(faults), faults.map(formatFault));
    assert.deepEqual(formatGrouped([]), []);
  });
});

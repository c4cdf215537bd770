import assert from 'node:assert/strict';
import { choicesIn } from '../../../src/features/tasks/task-choices.js';

const source = { values: '/ports', value: '/name', label: '/text' };
const choicesOf = (ports: readonly unknown[], target = '/enum') =>
  choicesIn({ ports, secret: 'y' }, { source, target });

describe('the choices in a reply', () => {
  it('are the selected values and labels, and nothing else', () => {
    const named = { name: 'eth0', text: 'uplink', password: 'x' };
    const found = choicesOf([named, { name: 'eth1' }, 'eth2', { name: { deep: 1 } }, null]);
    const others = ['eth1', 'eth2'].map((name) => ({ value: name, label: name }));
    assert.deepEqual(found, { choices: [{ value: 'eth0', label: 'uplink' }, ...others], truncated: false });
  });

  it('are at most 2,000, and the reply says that there are more', () => {
    const ports = Array.from({ length: 2001 }, (_, at) => `eth${at}`);
    const { choices, truncated } = choicesOf(ports);
    assert.deepEqual([choices.length, truncated], [2000, true]);
    assert.equal(choicesOf(ports.slice(1)).truncated, false);
  });

  const long = 'x'.repeat(513);
  const big = 18_446_744_073_709_551_615n;
  const labelled = [{ name: 'a', text: long }, long];
  for (const [title, ports, value, label, target] of [
    ['have labels of at most 512 characters, and no longer values', labelled, 'a', long.slice(1)],
    ['have all digits of whole numbers', [big], big, '18446744073709551615'],
    ['are the first one for a default', ['eth0', 'eth1'], 'eth0', 'eth0', '/default'],
  ] as const)
    it(title, () => {
      assert.deepEqual(choicesOf(ports, target).choices, [{ value, label }]);
    });
});

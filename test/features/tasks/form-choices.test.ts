import assert from 'node:assert/strict';
import { choicesIn } from '../../../src/features/tasks/task-choices.js';

const source = { values: '/ports', value: '/name', label: '/text' };

describe('the choices in a reply', () => {
  it('are the selected values and labels, and nothing else', () => {
    const ports = [
      { name: 'eth0', text: 'uplink', password: 'x' },
      { name: 'eth1' },
      'eth2',
      { name: { deep: 1 } },
      null,
    ];
    assert.deepEqual(choicesIn({ ports, secret: 'y' }, { source, target: '/enum' }), {
      choices: [
        { value: 'eth0', label: 'uplink' },
        { value: 'eth1', label: 'eth1' },
        { value: 'eth2', label: 'eth2' },
      ],
      truncated: false,
    });
  });

  it('are at most 2,000, and the reply says that there are more', () => {
    const ports = Array.from({ length: 2001 }, (_, at) => `eth${at}`);
    const { choices, truncated } = choicesIn({ ports }, { source, target: '/enum' });
    assert.deepEqual([choices.length, truncated], [2000, true]);
    assert.equal(choicesIn({ ports: ports.slice(1) }, { source, target: '/enum' }).truncated, false);
  });

  it('have labels of at most 512 characters, and no longer values', () => {
    const long = 'x'.repeat(513);
    const { choices } = choicesIn({ ports: [{ name: 'a', text: long }, long] }, { source, target: '/enum' });
    assert.deepEqual(choices, [{ value: 'a', label: 'x'.repeat(512) }]);
  });

  it('have all digits of whole numbers', () => {
    const { choices } = choicesIn({ ports: [18_446_744_073_709_551_615n] }, { source, target: '/enum' });
    assert.deepEqual(choices, [{ value: 18_446_744_073_709_551_615n, label: '18446744073709551615' }]);
  });

  it('are the first one for a default', () => {
    const { choices } = choicesIn({ ports: ['eth0', 'eth1'] }, { source, target: '/default' });
    assert.deepEqual(choices, [{ value: 'eth0', label: 'eth0' }]);
  });
});

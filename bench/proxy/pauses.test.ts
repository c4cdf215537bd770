import assert from 'node:assert/strict';
import { pauseHistograms, pauseTable } from './pauses.js';

const WINDOW = { from: 1000, to: 1100 };

describe('pauses of the measured process', () => {
  it('are counted by length within the measurement only', () => {
    const recording: Parameters<typeof pauseHistograms>[0] = {
      'gc: minor': [
        [999, 90],
        [1000, 0.2],
        [1010, 0.3],
        [1020, 3],
        [1050, 60],
        [1100, 90],
      ],
      'gc: major': [],
    };
    const [minor, major] = pauseHistograms(recording, WINDOW);
    assert.deepEqual(minor?.counts, [1, 1, 0, 0, 1, 0, 0, 0, 1]);
    assert.deepEqual([minor.count, minor.longestMs], [4, 60]);
    assert.equal(minor.share.toFixed(3), '0.635');
    assert.deepEqual([major?.count, major?.longestMs, major?.share], [0, 0, 0]);
  });

  it('are shown as a row for each kind', () => {
    const [head = '', row = ''] = pauseTable(pauseHistograms({ 'event loop': [[1001, 1.5]] }, WINDOW));
    assert.match(head, /^pauses in ms +<= 0\.2 .* <= 50 +> 50 +longest +of time$/);
    assert.match(row, /^event loop +1 +1\.5 +1\.5 %$/);
  });
});

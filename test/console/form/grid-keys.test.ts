import assert from 'node:assert/strict';
import {
  gridCommand,
  type KeyPress,
  type CellPosition,
} from '../../../console/src/form/view/grid/grid-keys.js';

const press = (key: string, also: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...also,
});
const spot = (some: Partial<CellPosition> = {}): CellPosition => ({
  stop: 0,
  lastStop: 4,
  expandable: true,
  open: true,
  ...some,
});

describe('keys of the treegrid', () => {
  const cases: readonly [says: string, key: string, at: Partial<CellPosition>, does: unknown][] = [
    ['right opens a row that is closed', 'ArrowRight', { open: false }, { kind: 'open', open: true }],
    ['right goes into the cells of one that is open', 'ArrowRight', {}, { kind: 'stop', to: 1 }],
    ['right stays at the last cell', 'ArrowRight', { stop: 4 }, { kind: 'stop', to: 4 }],
    ['left closes a row that is open', 'ArrowLeft', {}, { kind: 'open', open: false }],
    [
      'left goes from a closed row to the one above it',
      'ArrowLeft',
      { open: false },
      { kind: 'row', to: 'parent' },
    ],
    ['left goes from the first cell to the row', 'ArrowLeft', { stop: 1 }, { kind: 'stop', to: 0 }],
    ['Home is the first row', 'Home', {}, { kind: 'row', to: 'first' }],
    ['Home in the cells is the first cell', 'Home', { stop: 3 }, { kind: 'stop', to: 1 }],
    ['End in the cells is the last cell', 'End', { stop: 1 }, { kind: 'stop', to: 4 }],
    ['Enter edits', 'Enter', {}, { kind: 'edit' }],
    ['Enter on a button presses it', 'Enter', { stop: 3 }, { kind: 'press' }],
    ['a letter in the value writes over it', 'n', { stop: 2 }, { kind: 'edit', initialText: 'n' }],
    ['a letter at a row is free for others', 'n', {}, undefined],
    ['Tab is the browser’s', 'Tab', {}, undefined],
  ];
  for (const [says, key, at, does] of cases)
    it(says, () => {
      assert.deepEqual(gridCommand(press(key), spot(at)), does);
    });

  it('with Alt moves entries, with Ctrl goes to the ends, and leaves all else alone', () => {
    assert.deepEqual(gridCommand(press('ArrowUp', { altKey: true }), spot()), { kind: 'move up' });
    assert.deepEqual(gridCommand(press('End', { ctrlKey: true }), spot({ stop: 2 })), {
      kind: 'row',
      to: 'last',
    });
    assert.equal(gridCommand(press('c', { ctrlKey: true }), spot({ stop: 2 })), undefined);
  });
});

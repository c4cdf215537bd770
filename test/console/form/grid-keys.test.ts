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

describe('the keys of the treegrid', () => {
  const cases: readonly [says: string, key: string, at: Partial<CellPosition>, does: unknown][] = [
    ['Right expands a collapsed row', 'ArrowRight', { open: false }, { kind: 'open', open: true }],
    ['Right enters the cells of an expanded row', 'ArrowRight', {}, { kind: 'stop', to: 1 }],
    ['Right stays at the last cell', 'ArrowRight', { stop: 4 }, { kind: 'stop', to: 4 }],
    ['Left collapses an expanded row', 'ArrowLeft', {}, { kind: 'open', open: false }],
    [
      'Left moves from a collapsed row to its parent',
      'ArrowLeft',
      { open: false },
      { kind: 'row', to: 'parent' },
    ],
    ['Left moves from the first cell to the row', 'ArrowLeft', { stop: 1 }, { kind: 'stop', to: 0 }],
    ['Home moves to the first row', 'Home', {}, { kind: 'row', to: 'first' }],
    ['Home within the cells moves to the first cell', 'Home', { stop: 3 }, { kind: 'stop', to: 1 }],
    ['End within the cells moves to the last cell', 'End', { stop: 1 }, { kind: 'stop', to: 4 }],
    ['Enter edits the row', 'Enter', {}, { kind: 'edit' }],
    ['Enter on a button presses it', 'Enter', { stop: 3 }, { kind: 'press' }],
    ['a letter on the value replaces it', 'n', { stop: 2 }, { kind: 'edit', initialText: 'n' }],
    ['a letter on a row has no effect', 'n', {}, undefined],
    ['Tab is left to the browser', 'Tab', {}, undefined],
  ];
  for (const [says, key, at, does] of cases)
    it(says, () => {
      assert.deepEqual(gridCommand(press(key), spot(at)), does);
    });

  it('Alt moves entries, Ctrl moves to the ends, and other combinations have no effect', () => {
    assert.deepEqual(gridCommand(press('ArrowUp', { altKey: true }), spot()), { kind: 'move up' });
    assert.deepEqual(gridCommand(press('End', { ctrlKey: true }), spot({ stop: 2 })), {
      kind: 'row',
      to: 'last',
    });
    assert.equal(gridCommand(press('c', { ctrlKey: true }), spot({ stop: 2 })), undefined);
  });
});

export type GridCommand =
  | {
      readonly kind: 'row';
      readonly to: 'previous' | 'next' | 'first' | 'last' | 'page up' | 'page down' | 'parent';
    }
  | { readonly kind: 'stop'; readonly to: number }
  | { readonly kind: 'open'; readonly open: boolean }
  | { readonly kind: 'edit'; readonly initialText?: string }
  | { readonly kind: 'press' }
  | { readonly kind: 'clear' | 'insert' | 'move up' | 'move down' | 'json' };

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The focused cell: `stop` is 0 for the row, 1 for its name, 2 for its value, and from 3 for its buttons. */
export interface CellPosition {
  readonly stop: number;
  readonly lastStop: number;
  readonly expandable: boolean;
  readonly open: boolean;
}

export const VALUE_STOP = 2;

/**
 * Returns the command of a key, as in the treegrid pattern of the WAI-ARIA APG with focusable rows and cells;
 * undefined for a key without a command.
 */
export function gridCommand(press: KeyPress, cell: CellPosition): GridCommand | undefined {
  if (press.altKey) return withAlt(press.key);
  if (press.ctrlKey || press.metaKey) return withCtrl(press.key);
  return rowCommand(press.key) ?? columnCommand(press.key, cell) ?? cellCommand(press.key, cell);
}

function withAlt(key: string): GridCommand | undefined {
  if (key === 'ArrowUp') return { kind: 'move up' };
  return key === 'ArrowDown' ? { kind: 'move down' } : undefined;
}

function withCtrl(key: string): GridCommand | undefined {
  if (key === 'Home') return { kind: 'row', to: 'first' };
  return key === 'End' ? { kind: 'row', to: 'last' } : undefined;
}

const ROWS = {
  ArrowUp: 'previous',
  ArrowDown: 'next',
  PageUp: 'page up',
  PageDown: 'page down',
} as const;

function rowCommand(key: string): GridCommand | undefined {
  return key in ROWS ? { kind: 'row', to: ROWS[key as keyof typeof ROWS] } : undefined;
}

function columnCommand(key: string, cell: CellPosition): GridCommand | undefined {
  switch (key) {
    case 'ArrowRight':
      return goRight(cell);
    case 'ArrowLeft':
      return goLeft(cell);
    case 'Home':
      return cell.stop === 0 ? { kind: 'row', to: 'first' } : { kind: 'stop', to: 1 };
    case 'End':
      return cell.stop === 0 ? { kind: 'row', to: 'last' } : { kind: 'stop', to: cell.lastStop };
    default:
      return undefined;
  }
}

function goRight({ stop, lastStop, expandable, open }: CellPosition): GridCommand {
  if (stop === 0 && expandable && !open) return { kind: 'open', open: true };
  return { kind: 'stop', to: Math.min(stop + 1, lastStop) };
}

function goLeft({ stop, expandable, open }: CellPosition): GridCommand {
  if (stop > 0) return { kind: 'stop', to: stop - 1 };
  return expandable && open ? { kind: 'open', open: false } : { kind: 'row', to: 'parent' };
}

const CHANGES = { Delete: 'clear', Insert: 'insert' } as const;

function cellCommand(key: string, cell: CellPosition): GridCommand | undefined {
  const isButton = cell.stop > VALUE_STOP;
  if (key === 'Enter' || key === 'F2')
    return isButton && key === 'Enter' ? { kind: 'press' } : { kind: 'edit' };
  if (key === ' ') return { kind: 'press' };
  if (isButton) return undefined;
  if (key in CHANGES) return { kind: CHANGES[key as keyof typeof CHANGES] };
  if (cell.stop === VALUE_STOP && key.length === 1) return { kind: 'edit', initialText: key };
  return key === 'j' ? { kind: 'json' } : undefined;
}

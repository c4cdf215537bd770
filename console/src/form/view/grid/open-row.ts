import { type Row, withOpen } from '../../model/index.js';
import type { Desk } from '../desk.js';

/** Opens or closes a row, and stays at it. */
export function openRow(desk: Desk, row: Row, open: boolean): void {
  desk.change(withOpen(desk.now(), row.id, open));
  desk.goTo({ id: row.id, stop: 0 });
}

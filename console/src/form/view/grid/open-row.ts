import { type Row, withOpen } from '../../model/index.js';
import type { FormController } from '../form-controller.js';

/** Opens or closes a row, and keeps the position there. */
export function openRow(desk: FormController, row: Row, open: boolean): void {
  desk.change(withOpen(desk.now(), row.id, open));
  desk.goTo({ id: row.id, stop: 0 });
}

import { formatSpan } from './span.js';
import { textOf } from './text.js';

const text = textOf('task');

/** Returns how far a deadline (RFC 3339) is: `due in 2 hr` or `overdue by 3 days`. `now` is in milliseconds since 1970. */
export function dueText(due: string, now: number): string {
  const left = Date.parse(due) - now;
  return left < 0
    ? text('overdueBy', { span: formatSpan(-left) })
    : text('dueIn', { span: formatSpan(left) });
}

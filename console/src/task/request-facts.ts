import { shortTime } from '../text/short-time.js';
import { textOf } from '../text/text.js';
import type { Task } from './server.js';

const text = textOf('task');

/** Returns the printed facts about the request of a task: its id, its requester and its deadline. */
export function requestFacts({
  id,
  createdByName,
  created,
  due,
}: Task): readonly (readonly [string, string])[] {
  return [
    [text('factTask'), id],
    [text('factRequested'), text('byAt', { name: createdByName, time: shortTime(created) })],
    ...(due === null ? [] : [[text('factDue'), shortTime(due)] as const]),
  ];
}

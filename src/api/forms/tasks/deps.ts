import type { TaskSettings } from '../../../core/form.js';
import type { TaskStore } from '../../../core/task.js';
import type { JsonFormsDeps } from '../deps.js';

/** Dependencies of the task operations. */
export interface TasksDeps extends Pick<JsonFormsDeps, 'forms' | 'validator' | 'yang' | 'now'> {
  readonly tasks: TaskStore;
  /** Returns the limits of the current configuration. */
  readonly taskLimits: () => TaskLimits;
  /** Creates a unique id of 24 hexadecimal digits. */
  readonly newTaskId: () => string;
  /**
   * Returns the HTML that all three task views share; it contains no data of a task. Throws `not_ready` if
   * the page is not built, and `not_found` if the pages are disabled.
   */
  readonly taskPage: () => Promise<string>;
}

/** Limits that the operator configures. */
export interface TaskLimits extends TaskSettings {
  /** Maximum size of a task, in bytes of JSON. */
  readonly maxBytes: number;
}

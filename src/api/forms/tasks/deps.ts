import type { TaskSettings } from '../../../core/settings.js';
import type { TaskStore } from '../../../core/task.js';
import type { JsonFormsDeps } from '../deps.js';

/** What the tasks may touch. */
export interface TasksDeps extends Pick<JsonFormsDeps, 'forms' | 'judge' | 'yang' | 'now'> {
  readonly tasks: TaskStore;
  /** As the configuration stands now. */
  readonly taskLimits: () => TaskLimits;
  /** 24 hexadecimal digits that no task has had. */
  readonly newTaskId: () => string;
  /**
   * The HTML of all three pages: it holds nothing of a task. Throws `not_ready` where none was built, and `not_found`
   * where none is wanted.
   */
  readonly taskPage: () => Promise<string>;
}

/** What the operator allows. */
export interface TaskLimits extends TaskSettings {
  /** Largest task, in bytes of JSON. */
  readonly maxBytes: number;
}

import { Problem } from '../../core/problem.js';
import { ThreadPoolError } from '../../lib/thread-pool.js';

/** What the problem of a validation that exceeds a limit says. */
interface ValidationLimits {
  /** The validation, such as `Applying the schema`. */
  readonly task: string;
  /** The exceeded time, such as `250 ms`. */
  readonly time: string;
  /** What the task does that exceeds the memory, such as `needs too much memory`. */
  readonly memory: string;
}

/** Returns the problem that a caller receives for a failure of the threads; an unexpected failure stays as it is. */
export function validationProblemOf(error: unknown, { task, time, memory }: ValidationLimits): unknown {
  if (!(error instanceof ThreadPoolError)) return error;
  switch (error.failure) {
    case 'full':
      return new Problem('validation_busy', 'Too many validations are waiting.');
    case 'closed':
      return new Problem('validation_busy', 'The server is stopping.');
    case 'timeout':
      return new Problem('schema_too_costly', `${task} takes longer than ${time}.`);
    case 'memory':
      return new Problem('schema_too_costly', `${task} ${memory}.`);
    case 'crash':
      return error.cause ?? new Error('the validation thread exited unexpectedly');
  }
}

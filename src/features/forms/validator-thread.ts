import { compileSchema } from '../../json-schema/engine/index.js';
import { serveTasks } from '../../json-schema/validator-pool/run-task.js';

// Entry point of the threads of the validator pool, which validate data against the schemas of callers.
serveTasks(compileSchema);

import { serveTasks } from '../../json-schema/validator-pool/serve-tasks.js';
import { compileSchema } from '../../json-schema/engine/index.js';

// Entry point of the threads that apply the schemas of callers.
serveTasks(compileSchema);

import { serveTasks } from '../../json-schema/validator-pool/serve-tasks.js';
import { compileSchema } from '../../json-schema/engine/index.js';

// What runs in the threads that apply schemas of callers.
serveTasks(compileSchema);

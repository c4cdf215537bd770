import { serveTasks } from '../caller-schema/serve-tasks.js';
import { compileSchema } from '../schema-engine/index.js';

// What runs in the threads that apply schemas of callers.
serveTasks(compileSchema);

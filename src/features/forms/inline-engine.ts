// What the main thread needs to apply the schemas of small forms. Loaded when the first form needs it.

export { compileSchema as engine } from '../../json-schema/engine/index.js';
export { schemaOfForm, validateWithin } from '../../json-schema/validator-pool/run-task.js';

/** Public interface of the compiler from YANG 1.0 and 1.1 to JSON Schema. */
export { DEFAULT_LIMITS, type Limits } from './limits.js';
export { checkYangDocument, type ModelViolation } from '../core/yang-document.js';
export { type Compiled, type CompiledModule, type CompileOptions, compileYang } from './compile.js';
export type { CompileJob, CompiledJson, ModuleJson } from './worker.js';
export { type WorkerLimits, YangWorkers } from './compile-in-worker.js';
export {
  type DocumentValidation,
  type DocumentValidator,
  type DocumentValidatorOptions,
  openDocumentValidator,
} from './document/validate-document.js';
export { ValidationTooCostly } from './document/step-budget.js';
export type { DataViolation } from './document/violations.js';
export { SCHEMA_KEYWORDS } from './json-schema/dialect.js';
export { directoryLibrary } from './modules/library.js';
export { formatYangFault, type LimitName, type ModuleName, nameOf, type YangFault } from './diagnostic.js';
export { headingOf, type ModuleRegistry as Library, NO_LIBRARY } from './modules/library.js';
export { type ServerModule, type ServerModules, serverModules } from './server-modules.js';
export { type SourceText } from './syntax/statement.js';

export { compileSchema } from './compile-schema.js';
export { DRAFT_URIS } from './dialects.js';

import type core from 'ajv/dist/core.js';

/** Compiles schemas of one draft. */
export type Engine = core.default;

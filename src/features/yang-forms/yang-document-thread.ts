import { compilePattern, UnsupportedPattern } from '../../json-schema/engine/ecma-pattern.js';
import { serveDocuments } from '../../yang/document-thread.js';

// Entry point of the threads that validate documents by YANG models. Patterns are matched in linear time.
serveDocuments((source) => {
  try {
    return compilePattern(source);
  } catch (error) {
    // The JSON Schema of the model reports such a pattern; nothing else can match it safely.
    if (error instanceof UnsupportedPattern) return { test: () => true };
    throw error;
  }
});

import type { RegExpEngine } from 'ajv/dist/types/index.js';
import { RE2JS } from 're2js';
import { PatternRefused, toLinearSyntax } from './ecma-pattern.js';

/** An engine for the patterns of one schema whose time grows with the length of the text and no faster. */
export function linearPatterns(): RegExpEngine {
  const compiled = new Map<string, RE2JS>();
  const compile = (source: string): RE2JS => {
    const known = compiled.get(source);
    if (known) return known;
    const pattern = compileLinear(source);
    compiled.set(source, pattern);
    return pattern;
  };
  // Ajv writes the name into standalone code only, which is never made here.
  return Object.assign(compile, { code: 'linearPattern' });
}

function compileLinear(source: string): RE2JS {
  const translated = toLinearSyntax(source);
  try {
    return RE2JS.compile(translated);
  } catch (cause) {
    const why =
      cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, '') : 'it cannot be read';
    throw new PatternRefused(source, `is no pattern that can be matched in linear time (${why})`);
  }
}

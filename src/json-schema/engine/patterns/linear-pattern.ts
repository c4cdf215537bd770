import { RE2JS } from 're2js';
import type { Pattern } from '../model.js';
import { PatternRefused, toLinearSyntax } from './ecma-pattern.js';

/** A pattern of ECMA-262 that is matched in linear time. Throws a {@link PatternRefused}. */
export function compilePattern(source: string): Pattern {
  const translated = toLinearSyntax(source);
  try {
    const compiled = RE2JS.compile(translated);
    return { test: (text) => compiled.test(text), size: compiled.programSize() };
  } catch (cause) {
    const why =
      cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, '') : 'it cannot be read';
    throw new PatternRefused(source, `is no pattern that can be matched in linear time (${why})`);
  }
}

/** What environment variables contributed to the text of a scalar. */
export interface Insertion {
  /** Names of the variables, in order. */
  readonly names: readonly string[];
  /** True if the scalar is one variable without other text. */
  readonly isAlone: boolean;
  /** True if the text of that variable is the default in the file. */
  readonly isDefault: boolean;
  /** The text without the values of its variables; absent if no value comes from a variable. */
  readonly withoutValues?: string;
}

/** Environment variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

interface Interpolated {
  readonly text: string;
  /** Absent if the text names no variable. */
  readonly insertion?: Insertion;
  /** Names of variables that are not set and have no default. */
  readonly missing: readonly string[];
  /** True if a `${` is not part of a valid variable. */
  readonly malformed: boolean;
}

// In this order: the escape `$${`, a variable with an optional default (without braces), any other `${`.
const VARIABLES = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^{}]*))?\}|\$\{/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` with environment variables; `$${` is a literal `${`.
 * As in a shell, the default also replaces an empty variable. Inserted values are not interpolated again.
 */
export function interpolate(text: string, env: Environment): Interpolated {
  const names: string[] = [];
  const missing: string[] = [];
  let malformed = false;
  let isAlone = false;
  let isDefault = false;
  let [filled, withoutValues, hasValue, at] = ['', '', false, 0];
  const append = (piece: string, isValue = false): void => {
    filled += piece;
    if (isValue) hasValue = true;
    else withoutValues += piece;
  };
  for (const { 0: mark, 1: name, 2: fallback, index } of text.matchAll(VARIABLES)) {
    append(text.slice(at, index));
    at = index + mark.length;
    if (name === undefined) {
      malformed ||= mark === '${';
      append('${');
      continue;
    }
    names.push(name);
    isAlone = mark === text;
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    isDefault = fallback !== undefined && (value === undefined || value === '');
    if (isDefault) append(fallback ?? '');
    else if (value !== undefined) append(value, true);
    else {
      missing.push(name);
      append(mark);
    }
  }
  append(text.slice(at));
  const insertion = { names: [...new Set(names)], isAlone, isDefault, ...(hasValue && { withoutValues }) };
  return {
    text: filled,
    ...(names.length > 0 && { insertion }),
    missing: [...new Set(missing)],
    malformed,
  };
}

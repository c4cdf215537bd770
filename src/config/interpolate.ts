/** Environment variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Interpolated {
  readonly text: string;
  /** Names of variables that are not set and have no default. */
  readonly missing: readonly string[];
  /** True if a `${` is not part of a valid variable. */
  readonly malformed: boolean;
}

// In this order: the escape `$${`, a variable with an optional default (without braces), any other `${`.
const MARKS = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^{}]*))?\}|\$\{/g;

/**
 * Replaces `${NAME}` and `${NAME:-default}` with environment variables; `$${` is a literal `${`.
 * As in a shell, the default also replaces an empty variable. Inserted values are not interpolated again.
 */
export function interpolate(text: string, env: Environment): Interpolated {
  const missing: string[] = [];
  let malformed = false;
  const filled = text.replace(MARKS, (mark: string, name?: string, fallback?: string) => {
    if (mark === '$${') return '${';
    if (name === undefined) malformed = true;
    else return variable(name, fallback, env) ?? (missing.push(name), mark);
    return mark;
  });
  return { text: filled, missing: [...new Set(missing)], malformed };
}

function variable(name: string, fallback: string | undefined, env: Environment): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return fallback === undefined ? value : value === undefined || value === '' ? fallback : value;
}

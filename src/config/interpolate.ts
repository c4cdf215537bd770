/** Environment variables by name, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Interpolated {
  readonly text: string;
  /** Names of variables that are not set and have no default. */
  readonly missing: readonly string[];
  /** True when a `${` opens nothing that can be understood. */
  readonly malformed: boolean;
}

// In this order: the escape `$${`, a variable with an optional default (which holds no brace), any other opening.
const MARKS = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^{}]*))?\}|\$\{/g;

/**
 * Puts environment variables in place of `${NAME}` and `${NAME:-default}`; `$${` stands for a literal `${`.
 * As in a shell, the default is taken for a variable that is empty as well. What was put in is never looked at again.
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

/** Position in the stack of an error, or at the beginning of the report of a syntax error. */
const POSITION = /(file:\/\/)?(\/[^\s()?]+\.[cm]?[jt]s)(?:\?[^\s():]*)?:(\d+)/;

/**
 * Returns where an error was thrown, as `FILE:LINE` with the file below the folder of the plugins; `undefined` if the
 * stack names no file.
 */
export function errorPlace(error: unknown): string | undefined {
  return error instanceof Error ? firstPlace(error.stack ?? '') : undefined;
}

/** Returns a sentence with the place where an error was thrown at its end, if the stack names one. */
export function withErrorPlace(sentence: string, error: unknown): string {
  const place = errorPlace(error);
  return place === undefined ? sentence : `${sentence} at ${place}`;
}

/** Returns the first position in a stack, as {@link errorPlace} does. */
export function firstPlace(stack: string): string | undefined {
  const [, scheme, file, line = ''] = POSITION.exec(stack) ?? [];
  if (file === undefined) return undefined;
  return `${belowPlugins(scheme === undefined ? file : decodeURI(file))}:${line}`;
}

/** Returns a path below the folder `plugins` or `node_modules`; for any other path, the last folder and the file. */
function belowPlugins(file: string): string {
  const inside = /^.*\/(?:node_modules|plugins)\/(.+)$/.exec(file)?.[1];
  return inside ?? file.split('/').slice(-2).join('/');
}

/** The first supported minor version of each supported major version of Node.js; later major versions than the last are supported. */
const SUPPORTED: readonly (readonly [major: number, minor: number])[] = [
  [20, 19],
  [22, 12],
  [24, 0],
];

/** Supported versions in the form of `engines` in package.json. */
export const NODE_RANGE = SUPPORTED.map(
  ([major, minor], at) => `${at < SUPPORTED.length - 1 ? '^' : '>='}${major}.${minor}.0`,
).join(' || ');

/** Returns why gatehouse does not run on a version of Node.js, and what to install; `undefined` if it runs. */
export function unsupportedNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [latest] = SUPPORTED.at(-1) ?? [0];
  if (major > latest || SUPPORTED.some(([known, least]) => major === known && minor >= least))
    return undefined;
  return `Node.js ${version} is not supported (${process.execPath}). Install Node.js 22 or 24 (supported: ${NODE_RANGE}), and run the command again.`;
}

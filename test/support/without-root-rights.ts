/**
 * Returns a command that runs without the right of root to read and write every file; the command itself for an ordinary user.
 * The user stays the same, because another user might not be allowed to read this checkout.
 */
export function withoutRootRights(
  command: readonly [program: string, ...args: string[]],
): readonly [program: string, ...args: string[]] {
  if (process.geteuid?.() !== 0) return command;
  return ['setpriv', '--bounding-set=-dac_override,-dac_read_search', ...command];
}

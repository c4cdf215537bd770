/** Combines a hash with a number (FNV-1a, by whole numbers instead of bytes). */
export function combine(hash: number, number: number): number {
  return Math.imul(hash ^ number, 0x01000193);
}

/** A part of a bar, in a box of 1 by 1, `y` from the top. */
interface BarPart {
  readonly kind: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Lays out stacked bars: the highest bar fills the height, and no bar is wider than `widest`. Empty parts are
 * left out.
 */
export function stackedBars(
  bars: readonly (readonly number[])[],
  gap = 0.15,
  maxWidth = 1,
): readonly (readonly BarPart[])[] {
  const maxSum = Math.max(...bars.map(sumOf), 1);
  const step = 1 / Math.max(bars.length, 1);
  const width = Math.min((1 - gap) * step, maxWidth);
  return bars.map((parts, index) => {
    let below = 0;
    return parts.flatMap((count, kind) => {
      if (count <= 0) return [];
      const height = count / maxSum;
      below += height;
      return [{ kind, x: (index + 0.5) * step - width / 2, y: 1 - below, width, height }];
    });
  });
}

/** Returns the sum of all parts. */
export function sumOf(parts: readonly number[]): number {
  return parts.reduce((sum, count) => sum + count, 0);
}

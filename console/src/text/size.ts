import { numberFormat } from './locale.js';

const SIZES = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Formats a size in steps of 1,024: `512 B`, `93.6 MB`. */
export function formatSize(bytes: number): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), SIZES.length - 1);
  return `${numberFormat({ maximumFractionDigits: 1 }).format(bytes / 1024 ** step)} ${SIZES[step] ?? 'B'}`;
}

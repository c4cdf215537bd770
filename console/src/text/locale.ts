let current = 'en';
const formatters = new Map<string, unknown>();

/** Returns the BCP 47 tag in which dates and numbers are written, for example `en-GB`. */
export function locale(): string {
  return current;
}

/** Sets the locale of dates and numbers. */
export function setLocale(tag: string): void {
  current = tag;
  formatters.clear();
}

/** Returns a formatter of numbers in the locale of the user; the same one for the same options. */
export function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return formatterOf('number', options, () => new Intl.NumberFormat(current, options));
}

/** Returns a formatter of dates and times in the locale of the user; the same one for the same options. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return formatterOf('date', options, () => new Intl.DateTimeFormat(current, options));
}

/** Returns a formatter of relative times ("5 min ago") in the locale of the user. */
export function relativeFormat(options: Intl.RelativeTimeFormatOptions): Intl.RelativeTimeFormat {
  return formatterOf('relative', options, () => new Intl.RelativeTimeFormat(current, options));
}

/** Returns a formatter of lists ("a, b and c"; "a, b or c") in the locale of the user. */
export function listFormat(type: 'conjunction' | 'disjunction' = 'conjunction'): Intl.ListFormat {
  return formatterOf('list', { type }, () => new Intl.ListFormat(current, { type }));
}

function formatterOf<F>(kind: string, options: object, create: () => F): F {
  const key = `${kind} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  // The key names the kind of the formatter.
  if (known !== undefined) return known as F;
  const made = create();
  formatters.set(key, made);
  return made;
}

/**
 * Chooses the language of the pages: the one that the user chose, else the first of the browser's languages that
 * is available, else English. The locale keeps the region of the browser: `en-GB` for English in the United
 * Kingdom.
 */
export function chooseLanguage(
  available: readonly string[],
  wanted: readonly string[],
): { readonly language: string; readonly locale: string } {
  for (const tag of wanted) {
    const language = available.find((one) => one === tag || one === tag.split('-')[0]);
    if (language === undefined) continue;
    const isRegional = (one: string) => one !== language && one.split('-')[0] === language.split('-')[0];
    return { language, locale: wanted.find(isRegional) ?? language };
  }
  return { language: 'en', locale: 'en' };
}

const SIZES = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Formats a size in steps of 1,024: `512 B`, `93.6 MB`. */
export function formatSize(bytes: number): string {
  const step = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), SIZES.length - 1);
  return `${numberFormat({ maximumFractionDigits: 1 }).format(bytes / 1024 ** step)} ${SIZES[step] ?? 'B'}`;
}

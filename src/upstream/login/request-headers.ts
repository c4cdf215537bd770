import type { LoginSettings } from '../../core/adapter-settings.js';

/** Returns the headers of every call after a login: names in lower case, values with their `{names}`. */
export function appliedHeaders({
  header,
  headers,
}: LoginSettings['apply']): readonly (readonly [name: string, template: string])[] {
  const [, name = '', template = ''] = /^([^:]*):\s*(.*)$/.exec(header ?? '') ?? [];
  const single = header === null ? [] : [[name, template] as const];
  return [...single, ...Object.entries(headers)].map(([one, text]) => [one.toLowerCase(), text.trim()]);
}

/** A piece of a page, in which every text from elsewhere is escaped. */
export interface Html {
  readonly html: string;
}

/** What can stand in a piece: texts are escaped, pieces are not, `undefined` is nothing. */
export type Content = string | number | Html | readonly Content[] | undefined;

/**
 * Writes a piece of a page: a tag of template literals, whose lines may be indented as it reads best here. Attributes are
 * written with double quotes.
 */
export function html(texts: TemplateStringsArray, ...values: readonly Content[]): Html {
  const raw = texts.map((text) => text.replaceAll(/\n\s+/g, '\n'));
  return { html: String.raw({ raw }, ...values.map(textOf)) };
}

/** A text that is known to hold no markup, such as a style sheet of ours, as it is. */
export function verbatim(text: string): Html {
  return { html: text };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function textOf(value: Content): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
  return 'html' in value ? value.html : value.map(textOf).join('');
}

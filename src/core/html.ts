/** A fragment of HTML in which all external text is escaped. */
export interface Html {
  readonly html: string;
}

/**
 * Values in a fragment. Strings are escaped, fragments are not, and `undefined` renders as an empty string.
 */
export type Content = string | number | Html | readonly Content[] | undefined;

/**
 * Creates a fragment from a template literal. Removes the indentation of lines. Attributes must use double
 * quotes.
 */
export function html(texts: TemplateStringsArray, ...values: readonly Content[]): Html {
  const raw = texts.map((text) => text.replaceAll(/\n\s+/g, '\n'));
  return { html: String.raw({ raw }, ...values.map(renderContent)) };
}

/** Creates a fragment from text that needs no escaping, such as a style sheet of this project. */
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

function renderContent(value: Content): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
  return 'html' in value ? value.html : value.map(renderContent).join('');
}

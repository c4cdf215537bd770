/** Returns the text as a code span. */
export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Returns the texts as code spans, separated by commas. */
export function codes(texts: readonly string[]): string {
  return texts.map(code).join(', ');
}

/** Escapes what Markdown and the pages of the site would interpret, except in code spans. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/[<*]/g, '\\$&')))
    .join('');
}

/** Returns a table. A cell is Markdown in one line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Returns the text as a block that no test executes. */
export function sample(text: string): string {
  return `<!-- sample -->\n\n\`\`\`\n${text.trimEnd()}\n\`\`\``;
}

/** Joins blocks with empty lines. */
export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

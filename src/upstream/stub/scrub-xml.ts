import { isSecretName, MASKED } from './secret-name.js';

/** A text with markup, without the attributes and the content of elements whose names say that they are secret. */
export function scrubXml(text: string): string {
  const opening = /<([A-Za-z_][\w.:-]*)/g;
  let scrubbed = '';
  let done = 0;
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const [, name = ''] = found;
    if (!isSecretName(name)) continue;
    const contentAt = endOfTag(text, found.index);
    const tag = withoutValues(text.slice(found.index, contentAt));
    const isEmpty = text[contentAt - 2] === '/';
    scrubbed += text.slice(done, found.index) + (isEmpty ? tag : tag + MASKED);
    done = isEmpty ? contentAt : closingTag(text, contentAt, name);
    opening.lastIndex = done;
  }
  return scrubbed + text.slice(done);
}

/** A `>` in quotes ends no tag. */
function endOfTag(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '>') return at + 1;
    else if (char === '"' || char === "'") quote = char;
  }
  return text.length;
}

/** Names of namespaces stay: without them the text is no XML. */
function withoutValues(tag: string): string {
  return tag.replaceAll(
    /(?<![\w.:-])([\w.:-]+)(\s{0,20}=\s{0,20})(?:"[^"]*"|'[^']*')/g,
    (attribute, name: string, sign: string) =>
      name.startsWith('xmlns') ? attribute : `${name}${sign}"${MASKED}"`,
  );
}

/** Where the tag begins that closes the element; the end of the text when it is not closed. */
function closingTag(text: string, from: number, name: string): number {
  const mark = /<!\[CDATA\[[^]*?(?:\]\]>|$)|<!--[^]*?(?:-->|$)|<(\/?)([A-Za-z_][\w.:-]*)/g;
  mark.lastIndex = from;
  let depth = 1;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found[2] !== name) continue;
    const isOpening = found[1] === '';
    if (isOpening && text[endOfTag(text, found.index) - 2] === '/') continue;
    depth += isOpening ? 1 : -1;
    if (depth === 0) return found.index;
  }
  return text.length;
}

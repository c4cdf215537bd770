import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'oxfmt';
import { ROOT } from '../docs/markdown.js';

const OPTIONS = JSON.parse(readFileSync(join(ROOT, '.oxfmtrc.json'), 'utf8')) as NonNullable<
  Parameters<typeof format>[2]
>;

/** Formats the text of a file as the repository formats its files. The extension of the name decides the language. */
export async function formatText(fileName: string, text: string): Promise<string> {
  const { code, errors } = await format(fileName, text, OPTIONS);
  if (errors.length > 0) throw new Error(`${fileName} cannot be formatted: ${JSON.stringify(errors)}`);
  return code;
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setMessages } from '../../console/src/text/text.js';

const FOLDER = fileURLToPath(new URL('../../../console/messages/', import.meta.url));

/** The texts of one area by key. */
type AreaTexts = Readonly<Record<string, string>>;

/** Reads the message files of a language of the pages. */
export function messagesOf(language: string): Readonly<Record<string, AreaTexts>> {
  const files = readdirSync(join(FOLDER, language));
  return Object.fromEntries(
    files.map((file) => [
      file.replace('.json', ''),
      JSON.parse(readFileSync(join(FOLDER, language, file), 'utf8')) as AreaTexts,
    ]),
  );
}

/** Returns the languages of the pages. */
export function languages(): readonly string[] {
  return readdirSync(FOLDER);
}

setMessages(messagesOf('en'));

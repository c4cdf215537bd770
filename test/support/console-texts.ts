import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setMessages } from '../../console/src/text/text.js';

const CONSOLE = fileURLToPath(new URL('../../../console/', import.meta.url));
const SHARED = join(CONSOLE, 'messages');
const PAGES = join(CONSOLE, 'src/pages');

/** The texts of one area by key. */
type AreaTexts = Readonly<Record<string, string>>;

/** Reads the message files of a language of the pages: those that several pages share, and those in the folders of pages. */
export function messagesOf(language: string): Readonly<Record<string, AreaTexts>> {
  const folders = [SHARED, ...readdirSync(PAGES).map((page) => join(PAGES, page, 'messages'))];
  const files = folders
    .map((folder) => join(folder, language))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
  return Object.fromEntries(
    files.map((file) => [basename(file, '.json'), JSON.parse(readFileSync(file, 'utf8')) as AreaTexts]),
  );
}

export function languages(): readonly string[] {
  return readdirSync(SHARED);
}

setMessages(messagesOf('en'));

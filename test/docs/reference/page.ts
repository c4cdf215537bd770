import { join } from 'node:path';
import { formatText } from '../../support/format.js';
import { ROOT } from '../markdown.js';
import { blocks } from './write-markdown.js';

/** A page of `docs/reference` that is generated from code. */
export interface ReferencePage {
  /** File name in `docs/reference`. */
  readonly file: string;
  readonly title: string;
  /** What the page lists, in one sentence. */
  readonly about: string;
  /** Returns everything below `about`. */
  readonly body: () => string | Promise<string>;
}

/** First line of every generated page. */
const GENERATED =
  '<!-- This page is generated. Update it with: UPDATE_GOLDEN=1 npm test -- test/docs/reference.test.ts -->';

export const FOLDER = join(ROOT, 'docs', 'reference');

/** Returns the text of a page, formatted as the repository formats its files. */
export async function textOf({ file, title, about, body }: ReferencePage): Promise<string> {
  const text = blocks(GENERATED, `# ${title}`, about, await body());
  return formatText(file, `${text}\n`);
}

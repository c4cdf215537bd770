import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/** What links of a page are resolved against. */
export interface LinkScope {
  /** Root of the checkout. */
  readonly root: string;
  /** Path of the page in the checkout. */
  readonly source: string;
  /** Pages of the site: path in the checkout to path on the site. */
  readonly pages: ReadonlyMap<string, string>;
  /** Address of the repository, without a slash at the end, if package.json has one. */
  readonly repository?: string;
}

/** Code in a line, or a link or a picture: `[text](target)`. The text may contain code. */
const LINK = /(?<code>(`+)(?!`).+?(?<!`)\2(?!`))|(!?)\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)/gs;

/**
 * Rewrites the links of a text. A link to a page of the site leads to its path on the site. A link to another file of the
 * checkout leads to the repository, or becomes the path of the file as code if there is no repository. Links to files
 * of `docs` that do not exist stay, so that the generator reports them. `onPicture` receives the path of each picture in the
 * checkout and returns its path on the site.
 */
export function rewriteLinks(text: string, scope: LinkScope, onPicture: (path: string) => string): string {
  return text.replaceAll(LINK, (link, ...[code, , mark, label = '', target = '']: readonly string[]) => {
    if (code !== undefined || /^(?:[a-z]+:|#|\/)/.test(target)) return link;
    if (mark === '!') return `![${label}](${fromPage(scope, onPicture(pathOf(target, scope)))})`;
    return rewriteLink(link, { label, target }, scope);
  });
}

interface Link {
  readonly label: string;
  readonly target: string;
}

function rewriteLink(link: string, { label, target }: Link, scope: LinkScope): string {
  const { root, pages, repository } = scope;
  const [, anchor] = target.split('#', 2);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const path = pathOf(target, scope);
  const page = pages.get(path.replace(/\/$/, ''));
  if (page !== undefined) return `[${label}](${fromPage(scope, page)}${hash})`;
  // The generator reports it. Other files may be left out of the build of an image.
  if (path.startsWith('docs/') && !existsSync(join(root, path))) return link;
  return repository === undefined
    ? asCode(label, path)
    : `[${label}](${repository}/blob/main/${path}${hash})`;
}

/** Returns the path in the checkout to which a relative link of a page leads. */
function pathOf(target: string, { source }: LinkScope): string {
  return posix.join(posix.dirname(source), target.replace(/#.*$/, ''));
}

/** Returns the path of a file on the site relative to the page of a scope. */
function fromPage({ pages, source }: LinkScope, path: string): string {
  const relative = posix.relative(dirname(pages.get(source) ?? ''), path);
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** Returns a label and the path of a file as code, or the path alone if the label is the name of the file. */
function asCode(label: string, path: string): string {
  const name = label.replaceAll('`', '');
  return path.endsWith(name) ? `\`${path}\`` : `${label} (\`${path}\`)`;
}

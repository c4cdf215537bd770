import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { convertPage, titleOf } from './page.js';
import { groupsOf, type Section, SECTIONS } from './sections.js';

/** An entry of the sidebar, as VitePress expects it. */
interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly SidebarItem[];
}

/** What the configuration of the generator needs. */
interface Staged {
  readonly sidebar: readonly SidebarItem[];
  readonly description: string;
  readonly version: string;
  readonly repository?: string;
}

interface Manifest {
  readonly description: string;
  readonly version: string;
  readonly repository?: string | { readonly url: string };
}

/** Pages about the project, outside the sections: path in the checkout and name on the site. */
const PROJECT: readonly (readonly [source: string, name: string])[] = [
  ['CHANGELOG.md', 'changelog'],
  ['SECURITY.md', 'security'],
  ['CONTRIBUTING.md', 'contributing'],
  ['CODE_OF_CONDUCT.md', 'code-of-conduct'],
  ['ARCHITECTURE.md', 'architecture'],
  ['docs/features.md', 'features'],
  ['docs/evidence.md', 'evidence'],
  ['docs/evidence/security-review.md', 'security-review'],
  ['docs/evidence/pages.md', 'pages'],
  ['docs/asvs.md', 'asvs'],
  ['docs/cryptography.md', 'cryptography'],
  ['docs/data.md', 'data'],
  ['docs/dependencies.md', 'dependencies'],
  ['docs/evidence/yang-modules.md', 'yang-modules'],
  ['config/examples/README.md', 'ready-adapters'],
  ['plugins/README.md', 'adapter-plugins'],
  ['examples/README.md', 'examples'],
  ['deploy/README.md', 'deployment-files'],
];

const DECISIONS = 'docs/decisions';

/** Links to these paths lead to a page that has another source. */
const ALIASES = new Map([
  ['README.md', 'index.md'],
  [DECISIONS, 'project/decisions/index.md'],
  ['docs/reference', 'reference/index.md'],
]);

/**
 * Writes the pages of the site to a folder, which is replaced: the sections, the decisions, and the pages about the
 * project. Returns the sidebar. Pages that do not exist are left out.
 */
export function stagePages(root: string, folder: string): Staged {
  const pages = pagesOf(root);
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const repository = repositoryOf(manifest);
  rmSync(folder, { recursive: true, force: true });
  const write = (path: string, put: (target: string) => void): void => {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    put(target);
  };
  for (const [source, path] of [...pages].filter(([key]) => !ALIASES.has(key))) {
    const scope = { root, source, pages, ...(repository !== undefined && { repository }) };
    const text = convertPage(readFileSync(join(root, source), 'utf8'), scope, (picture) => {
      const name = `pictures/${basename(picture)}`;
      write(name, (target) => {
        copyFileSync(join(root, picture), target);
      });
      return name;
    });
    write(path, (target) => {
      writeFileSync(target, text);
    });
  }
  const { description, version } = manifest;
  return {
    sidebar: sidebarOf(root, pages),
    description,
    version,
    ...(repository !== undefined && { repository }),
  };
}

/** Returns the pages of the site: path in the checkout to path on the site. */
export function pagesOf(root: string): ReadonlyMap<string, string> {
  const own: readonly (readonly [source: string, path: string])[] = [
    ['docs/index.md', 'index.md'],
    ...SECTIONS.flatMap(({ name }) => pagesIn(root, `docs/${name}`, name)),
    ...PROJECT.map(([source, name]) => [source, `project/${name}.md`] as const),
    ...foldersIn(root, 'plugins').map(
      (name) => [`plugins/${name}/README.md`, `project/plugins/${name}.md`] as const,
    ),
    ...pagesIn(root, DECISIONS, 'project/decisions'),
  ];
  const existing = own.filter(([source]) => existsSync(join(root, source)));
  const paths = new Set(existing.map(([, path]) => path));
  return new Map([...existing, ...[...ALIASES].filter(([, path]) => paths.has(path))]);
}

/** Returns the pages of a folder. `README.md` is the page of the folder itself. */
function pagesIn(root: string, folder: string, target: string): readonly (readonly [string, string])[] {
  return namesIn(root, folder).map((name) => [
    `${folder}/${name}.md`,
    `${target}/${name === 'README' ? 'index' : name}.md`,
  ]);
}

/** Returns the names of the Markdown files of a folder without `.md`, sorted. */
function namesIn(root: string, folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .sort();
}

function foldersIn(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** Returns the sidebar: one entry a section, then the pages about the project. */
function sidebarOf(root: string, pages: ReadonlyMap<string, string>): readonly SidebarItem[] {
  const itemOf = (source: string): SidebarItem => ({
    text: titleOf(readFileSync(join(root, source), 'utf8')),
    link: `/${(pages.get(source) ?? '').replace(/(?:index)?\.md$/, '')}`,
  });
  const entryOf = (section: Section): SidebarItem => {
    const groups = groupsOf(section, namesIn(root, `docs/${section.name}`)).map((group) => ({
      ...group,
      items: group.pages.map((page) => itemOf(`docs/${section.name}/${page}.md`)),
    }));
    const items = groups.flatMap(({ title, items: entries }) =>
      title === undefined ? entries : [{ text: title, collapsed: true, items: entries }],
    );
    return { text: section.title, collapsed: false, items };
  };
  const project = [...PROJECT.map(([source]) => source), `${DECISIONS}/README.md`].filter((source) =>
    pages.has(source),
  );
  return [
    ...SECTIONS.map(entryOf).filter(({ items }) => items?.length !== 0),
    { text: 'Project', collapsed: true, items: project.map(itemOf) },
  ];
}

/** Returns the web address of the repository in package.json, or undefined without it. */
function repositoryOf({ repository }: Manifest): string | undefined {
  const url = typeof repository === 'string' ? repository : repository?.url;
  return url?.replace(/^git\+/, '').replace(/\.git$/, '');
}

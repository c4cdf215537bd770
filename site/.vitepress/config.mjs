// The configuration of the documentation site: `npm run site` (scripts/site.mjs).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformerStyleToClass } from '@shikijs/transformers';
import { anchorOf } from '../../dist/site/src/anchors.js';
import { BASE, finishSite } from '../../dist/site/src/finish.js';
import { stagePages } from '../../dist/site/src/stage.js';
import { licensesOf } from '../../scripts/licenses.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Inside of this folder, so that the pages find the packages of the generator.
const folder = join(root, 'site', '.pages');
const { sidebar, description, version, repository } = stagePages(root, folder);

/** The icon of the console, in the address, so that browsers do not look for one outside of the site. */
const icon = encodeURIComponent(readFileSync(join(root, 'console/src/style/gatehouse.svg'), 'utf8').trim());

/** Colors of code as classes, because the policy of the pages permits no style attributes. */
const codeColors = transformerStyleToClass({ classPrefix: 'code-' });

/** Sets classes in place of the style attributes of table cells. */
function alignByClass(md) {
  md.core.ruler.push('align-by-class', ({ tokens }) => {
    for (const token of tokens) {
      const [, alignment] = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '') ?? [];
      if (alignment === undefined) continue;
      token.attrs = token.attrs.filter(([name]) => name !== 'style');
      token.attrJoin('class', `align-${alignment}`);
    }
  });
}

export default {
  title: 'gatehouse',
  description,
  lang: 'en-US',
  base: BASE,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${icon}` }]],
  srcDir: folder,
  outDir: join(root, 'dist', '.site'),
  cacheDir: join(root, 'node_modules', '.cache', 'gatehouse-site'),
  cleanUrls: true,
  // The style element that would stop transitions is inline, which the policy of the pages does not permit.
  appearance: { disableTransition: false },
  lastUpdated: false,
  // Addresses of a server that the reader starts. Every other dead link fails the build.
  ignoreDeadLinks: 'localhostLinks',
  // A page loads another page when the reader opens it.
  router: { prefetchLinks: false },
  markdown: {
    // Angle brackets in a page are text: placeholders, not HTML.
    html: false,
    anchor: { slugify: anchorOf },
    codeTransformers: [codeColors],
    config: alignByClass,
  },
  vite: {
    build: { chunkSizeWarningLimit: 4_000 },
    plugins: [
      {
        name: 'licenses',
        generateBundle(_options, bundle) {
          const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
          this.emitFile({ type: 'asset', fileName: 'licences.md', source: licensesOf(modules) });
        },
      },
    ],
  },
  buildEnd: ({ outDir }) => {
    finishSite(outDir, codeColors.getCSS());
  },
  themeConfig: {
    nav: sidebar
      .filter(({ text }) => text !== 'Project')
      .map(({ text, items }) => ({ text, link: (items[0].items ?? items)[0].link })),
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    ...(repository !== undefined && {
      editLink: { pattern: ({ frontmatter }) => `${repository}/edit/main/${frontmatter.source}` },
    }),
    footer: { message: `gatehouse ${version}, Apache License 2.0` },
  },
};

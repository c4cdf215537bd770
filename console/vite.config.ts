import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { messages } from './messages-plugin.js';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Packs every text once, so that no request has to: `dist/ui/assets/x.js.br` and `.gz` beside `x.js`. */
function pack(): Plugin {
  let folder = '';
  return {
    name: 'pack',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir);
    },
    writeBundle() {
      // The task pages are built into the folder of the console, whose texts are packed already.
      const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
        (name) => /\.(?:js|css|html|svg)$/.test(name) && !existsSync(join(folder, `${name}.br`)),
      );
      for (const name of texts) {
        const bytes = readFileSync(join(folder, name));
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/** Lets a build load the engine of the schemas after its first view. */
function lazyEngine(): Plugin {
  const engine = at('src/form/model/field/engine.ts');
  return {
    name: 'lazy-engine',
    enforce: 'pre',
    load: (id) =>
      id === engine ? `export * from ${JSON.stringify(at('src/task/lazy-engine.ts'))};` : undefined,
  };
}

/** Pages of the other builds. `gallery` shows every control, and is no part of the product. */
const PAGES: Readonly<Record<string, string>> = { task: 'task.html', gallery: 'gallery.html' };

/** Code that only forms need. */
const OF_FORMS =
  /\/src\/(?:form|form-model|json-schema|design|pages\/(?:api|configure)(?!\/route)|api\/load-subtrees)\b/;

/**
 * Two builds into one folder. The task pages (`--mode task`) stand alone in the frames of other products, so they load nothing of
 * the console. Both are written for React, and made with Preact: a tenth of the size.
 */
export default defineConfig(({ mode }) => {
  const isTask = mode === 'task';
  return {
    root: at('.'),
    base: '/ui/',
    plugins: [messages(isTask), ...(isTask ? [lazyEngine()] : []), react(), pack()],
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: {
      alias: {
        '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js',
        'react-dom/client': 'preact/compat/client',
        'react-dom': 'preact/compat',
        'react/jsx-runtime': 'preact/jsx-runtime',
        react: 'preact/compat',
      },
    },
    build: {
      outDir: at('../dist/ui'),
      emptyOutDir: !isTask,
      target: 'es2022',
      assetsInlineLimit: 0,
      // The polyfill would be a script in the page, which the Content-Security-Policy forbids.
      modulePreload: { polyfill: false },
      // The packages that are built in want their licences handed on.
      license: { fileName: `licences-${mode}.md` },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        input: at(PAGES[mode] ?? 'index.html'),
        // Without it, each page of the console loads 80 small files. Pages without a form load no code of forms.
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [
              { name: 'shared', test: (id) => !OF_FORMS.test(id), minShareCount: 3, priority: 1 },
              { name: 'forms', minShareCount: 3 },
            ],
          },
        },
      },
    },
  };
});

import assert from 'node:assert/strict';
import { importCycles, noneIn, readSources } from './source-files.js';

const SRC = 'console/src/';

const pages = readSources('console/src');

/**
 * The folders that each folder of the pages may import besides itself and styles, as in console/README.md.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[] | 'anything'>> = {
  'form/model': [],
  'form/view': ['form/model'],
  form: ['form/model', 'api'],
  design: ['form'],
  task: ['form', 'api', 'guard'],
  api: [],
  kit: ['api', 'guard'],
  guard: [],
  text: [],
  pages: ['kit', 'api', 'form', 'design', 'app', 'guard'],
  app: 'anything',
};

function folderOf(path: string): string {
  const [, folder = ''] = /^(form\/(?:model|view)|[^/]+)/.exec(path.slice(SRC.length)) ?? [];
  return folder;
}

/** Returns true for a folder and the folders inside of it. */
function isIn(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(`${outer}/`);
}

const assertNone = noneIn(pages);

describe('the console sources', () => {
  it('are found in a plausible number', () => {
    assert.ok(pages.length > 100);
    assert.ok(pages.some(({ packages }) => packages.includes('@tanstack/react-query')));
  });

  it('import only permitted folders', () => {
    assertNone(({ path, imports }) => {
      const folder = folderOf(path);
      const allowed = MAY_IMPORT[folder] ?? [];
      if (allowed === 'anything') return [];
      return imports
        .filter((target) => target.startsWith(SRC))
        .filter(
          (target) => ![folder, 'style', 'text', ...allowed].some((outer) => isIn(folderOf(target), outer)),
        )
        .map((target) => `imports ${target}`);
    });
  });

  it('import only the schema engine and pure rules of the server, and of its features only types', () => {
    assertNone(({ imports, typeImports }) =>
      imports
        .filter((target) => !(target.startsWith('src/features/') && typeImports.has(target)))
        .filter((target) =>
          /^(?!src\/(?:core|lib|json|form-model|json-schema\/engine)\/|console\/)/.test(target),
        ),
    );
  });

  it('keep forms and designs free of packages such as React', () => {
    assertNone(({ path, packages }) =>
      /^console\/src\/(?:form\/model|design)\//.test(path) ? packages : [],
    );
  });

  it('have no import cycle, including types', () => {
    assert.deepEqual(importCycles(pages), []);
  });

  it('have at most 300 lines per file, except generated types', () => {
    assertNone(({ path, lines }) => (lines > 300 && !path.endsWith('.d.ts') ? [`${lines} lines`] : []));
  });
});

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../docs/markdown.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { writeFiles } from '../support/write-files.js';

interface Compiler {
  /** Returns the number of written or removed files. */
  compile(root: string, folders?: object): number;
  readonly TOOLS: object;
  compiledHash(root: string, ...folders: readonly string[]): string;
}

describe('scripts/compile.mjs', () => {
  const root = temporaryFolder().path;
  const write = (path: string, text: string): void => {
    writeFiles(root, { [path]: text });
  };
  const output = (path: string): string => readFileSync(join(root, 'dist', path), 'utf8');
  let compiler: Compiler;

  before(async () => {
    compiler = (await import(pathToFileURL(join(ROOT, 'scripts/compile.mjs')).href)) as Compiler;
    for (const name of ['tsconfig.json', 'package-lock.json'])
      write(name, readFileSync(join(ROOT, name), 'utf8'));
    for (const folder of ['plugins', 'test', 'console/src'])
      mkdirSync(join(root, folder), { recursive: true });
    write('src/a.ts', 'export const a: number = 1;\n');
    write('src/deep/b.ts', "import { a } from '../a.js';\nexport const b = a;\n");
  });

  it('compiles all files with source maps on the first run and none on the second', () => {
    assert.equal(compiler.compile(root), 2);
    assert.equal(output('src/a.js'), 'export const a = 1;\n//# sourceMappingURL=a.js.map');
    assert.deepEqual((JSON.parse(output('src/deep/b.js.map')) as { sources: unknown }).sources, [
      '../../../src/deep/b.ts',
    ]);
    assert.equal(compiler.compile(root), 0);
  });

  it('compiles changed sources and missing outputs', () => {
    const before = compiler.compiledHash(root, 'src/deep');
    write('src/a.ts', 'export const a: number = 2;\n');
    assert.equal(compiler.compile(root), 1);
    assert.match(output('src/a.js'), /a = 2/);
    assert.equal(compiler.compiledHash(root, 'src/deep'), before);
    rmSync(join(root, 'dist/src/deep/b.js'));
    assert.equal(compiler.compile(root), 1);
  });

  it('compiles a source again that was changed back after a failed run (bug: its output stayed)', () => {
    write('src/a.ts', 'export const a: number = 3;\n');
    write('src/c.ts', 'export const c: number = ;\n');
    assert.throws(() => compiler.compile(root), /src\/c\.ts cannot be compiled/);
    write('src/a.ts', 'export const a: number = 2;\n');
    rmSync(join(root, 'src/c.ts'));
    compiler.compile(root);
    assert.match(output('src/a.js'), /a = 2/);
    assert.equal(compiler.compile(root), 0);
  });

  it('removes the output of deleted sources and empty folders', () => {
    rmSync(join(root, 'src/deep'), { recursive: true });
    assert.equal(compiler.compile(root), 1);
    assert.equal(existsSync(join(root, 'dist/src/deep')), false);
  });

  it('leaves bench and evidence until they are asked for, without packages that a bench has installed', () => {
    write('bench/b.ts', "import { a } from '../src/a.js';\nexport const b = a;\n");
    write('bench/results/node_modules/c.ts', 'export const c = 3;\n');
    assert.equal(compiler.compile(root), 0);
    assert.equal(compiler.compile(root, compiler.TOOLS), 1);
    assert.deepEqual([compiler.compile(root), compiler.compile(root, compiler.TOOLS)], [0, 0]);
    assert.match(output('bench/b.js'), /const b = a/);
  });

  it('compiles all files again with other options', () => {
    const options = readFileSync(join(root, 'tsconfig.json'), 'utf8');
    write('tsconfig.json', options.replace('"ES2023",', '"ES2022",'));
    assert.equal(compiler.compile(root), 1);
  });
});

import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameOf } from '../diagnostic.js';
import type { SourceText } from '../syntax/statement.js';
import { directoryLibrary, type ModuleRegistry } from './library.js';
import { mainUnit, type YangModule } from './yang-module.js';

/** Folder of the published modules in the package. */
const FOLDER = fileURLToPath(new URL('../../../../config/yang', import.meta.url));

const bundledSources = new WeakSet<SourceText>();
let folderLibrary: ModuleRegistry | undefined;

/**
 * Library of the published modules that most modules import, such as `ietf-yang-types`. They are part of the package, and
 * are meant for imports that nothing else provides.
 */
export const BUNDLED_MODULES: ModuleRegistry = {
  find(name, revision) {
    folderLibrary ??= directoryLibrary([FOLDER], (file) => `gatehouse/${basename(file)}`);
    const source = folderLibrary.find(name, revision);
    if (source) bundledSources.add(source);
    return source;
  },
};

/** Returns `name@revision` of the modules that come from {@link BUNDLED_MODULES}. */
export function bundledIn(modules: readonly YangModule[]): readonly string[] {
  return modules.filter((module) => bundledSources.has(mainUnit(module).source)).map(nameOf);
}

/** Returns a library that searches the first library, and then the second. */
export function firstOf(first: ModuleRegistry, second: ModuleRegistry): ModuleRegistry {
  return { find: (name, revision) => first.find(name, revision) ?? second.find(name, revision) };
}

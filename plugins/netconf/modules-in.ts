import { EncodingFault } from '../../src/yang/encoding/instance-model.js';
import { childElements, childText, type XmlElement } from '../../src/yang/encoding/xml-element.js';
import type { AnnouncedModule } from './capabilities.js';

const YANG_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,254}$/;

/** Module that a server implements. */
export type ServerModule = Pick<AnnouncedModule, 'name' | 'revision' | 'features'>;

/** Lists of modules: of RFC 8525, RFC 7895 and RFC 6022. */
export type ModuleListName = 'yang-library' | 'modules-state' | 'netconf-state';

/** Maximum number of modules of one server. */
export const MAX_MODULES = 4000;
/** Maximum number of features of all modules in a list. */
const MAX_FEATURES = 50_000;

/** Returns the modules in the reply with a list. Throws EncodingFault if they have too many features. */
export function modulesIn(reply: XmlElement, list: ModuleListName): readonly ServerModule[] {
  const element = childElements(reply, 'data')[0]?.children.find(({ name }) => name === list);
  const modules = element ? READERS[list](element).slice(0, MAX_MODULES) : [];
  if (modules.reduce((sum, { features }) => sum + features.size, 0) > MAX_FEATURES)
    throw new EncodingFault(`/${list}`, `has more than ${MAX_FEATURES} features`, 'too-big');
  return modules;
}

const READERS: Readonly<Record<ModuleListName, (list: XmlElement) => readonly ServerModule[]>> = {
  'yang-library': modulesOfLibrary,
  'modules-state': (state) => childElements(state, 'module').filter(isImplemented).flatMap(moduleOf),
  'netconf-state': (state) =>
    childElements(state, 'schemas')
      .flatMap((schemas) => childElements(schemas, 'schema'))
      .flatMap(moduleOfSchema),
};

function modulesOfLibrary(library: XmlElement): readonly ServerModule[] {
  return childElements(library, 'module-set')
    .flatMap((set) => childElements(set, 'module'))
    .flatMap(moduleOf);
}

function isImplemented(module: XmlElement): boolean {
  return childText(module, 'conformance-type') !== 'import';
}

function moduleOf(module: XmlElement): readonly ServerModule[] {
  const features = new Set(childElements(module, 'feature').map(({ text }) => text.trim()));
  return moduleWith(childText(module, 'name'), childText(module, 'revision'), features);
}

function moduleOfSchema(schema: XmlElement): readonly ServerModule[] {
  return moduleWith(childText(schema, 'identifier'), childText(schema, 'version'), new Set());
}

function moduleWith(name: string, revision: string, features: ReadonlySet<string>): readonly ServerModule[] {
  if (!YANG_NAME.test(name)) return [];
  return [{ name, revision: revision === '' ? undefined : revision, features }];
}

import { EncodingFault, type InstanceModel } from './instance-model.js';
import type { NamespaceScope } from './namespace-scope.js';

/** Text of a value in XML, with the namespaces of the prefixes in it. */
export interface PrefixedText {
  readonly text: string;
  readonly prefixes: Readonly<Record<string, string>>;
}

/** Tokens of an instance-identifier: a string, a name with or without a prefix, or one character. */
const TOKEN = /(?<string>"[^"]*"|'[^']*')|(?:(?<prefix>[A-Za-z_][\w.-]*):)?(?<name>[A-Za-z_][\w.-]*)|[^]/g;

/** Returns the XML form of the JSON form of an identityref: its module becomes a prefix. */
export function identityToXml(text: string, model: InstanceModel): PrefixedText {
  const colon = text.indexOf(':');
  const { prefix, namespace } = prefixOf(text.slice(0, Math.max(colon, 0)), model);
  return { text: `${prefix}:${text.slice(colon + 1)}`, prefixes: { [prefix]: namespace } };
}

/** Returns the JSON form of the XML form of an identityref (RFC 7951 section 6.8). */
export function identityToJson(text: string, scope: NamespaceScope, model: InstanceModel): string {
  const colon = text.indexOf(':');
  const module = moduleNameOf(scope.get(text.slice(0, Math.max(colon, 0))), model);
  return module === undefined ? text : `${module}:${text.slice(colon + 1)}`;
}

/** Returns the XML form of an instance-identifier of JSON, in which every name has a prefix (RFC 7950 section 9.13.2). */
export function instanceToXml(text: string, model: InstanceModel): PrefixedText {
  const prefixes: Record<string, string> = {};
  let module = '';
  const written = mapNames(text, ({ prefix: given, name, isStep }) => {
    if (given !== undefined && isStep) module = given;
    const { prefix, namespace } = prefixOf(given ?? module, model);
    prefixes[prefix] = namespace;
    return `${prefix}:${name}`;
  });
  return { text: written, prefixes };
}

/**
 * Returns the JSON form of an instance-identifier of XML (RFC 7951 section 6.11). Names whose prefix is unknown stay as they
 * are.
 */
export function instanceToJson(text: string, scope: NamespaceScope, model: InstanceModel): string {
  let module: string | undefined;
  return mapNames(text, ({ prefix = '', name, isStep }) => {
    const own = moduleNameOf(scope.get(prefix), model) ?? prefix;
    const isInherited = own === '' || own === module;
    if (isStep && own !== '') module = own;
    return isInherited ? name : `${own}:${name}`;
  });
}

/** Returns the fault of an identityref of XML whose prefix has no namespace (RFC 7950 section 9.10.3); undefined without one. */
export function identityPrefixFault(text: string, scope: NamespaceScope): string | undefined {
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : prefixFault(text.slice(0, colon), scope);
}

/** Returns the fault of the first name in an instance-identifier of XML without a prefix that has a namespace (9.13.2). */
export function instancePrefixFault(text: string, scope: NamespaceScope): string | undefined {
  let fault: string | undefined;
  mapNames(text, ({ prefix, name }) => {
    fault ??=
      prefix === undefined ? `needs a prefix before "${name}" (RFC 7950 9.13.2)` : prefixFault(prefix, scope);
    return name;
  });
  return fault;
}

function prefixFault(prefix: string, scope: NamespaceScope): string | undefined {
  return scope.get(prefix) === undefined ? `has the prefix "${prefix}", which has no namespace` : undefined;
}

interface NameToken {
  readonly prefix: string | undefined;
  readonly name: string;
  /** False inside a predicate. */
  readonly isStep: boolean;
}

function mapNames(text: string, write: (token: NameToken) => string): string {
  let depth = 0;
  return text.replaceAll(TOKEN, (token, ...rest: readonly unknown[]) => {
    const { string, prefix, name } = rest.at(-1) as Readonly<
      Record<'string' | 'prefix' | 'name', string | undefined>
    >;
    if (token === '[') depth += 1;
    if (token === ']') depth -= 1;
    return string !== undefined || name === undefined ? token : write({ prefix, name, isStep: depth === 0 });
  });
}

function moduleNameOf(
  namespace: string | undefined,
  { moduleByNamespace }: InstanceModel,
): string | undefined {
  return namespace === undefined ? undefined : moduleByNamespace.get(namespace)?.name;
}

/** Returns the prefix for a module, which is its name unless XML reserves it. */
export function prefixOf(
  module: string,
  { moduleByName }: InstanceModel,
): { readonly prefix: string; readonly namespace: string } {
  const namespace = moduleByName.get(module)?.namespace;
  if (namespace === undefined) throw new EncodingFault('', `the module "${module}" is unknown`);
  return { prefix: /^xml/i.test(module) ? `m-${module}` : module, namespace };
}

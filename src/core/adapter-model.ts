/** Prefix of the package-like names of plugins that come with the product. */
const PACKAGE_PREFIX = '@gatehouse/adapter-';

/**
 * Returns the model of a plugin that comes with the product, as replies show it. Clients of the platform expect the name of
 * a package: `ipctl copy adapter` takes the type of an adapter from the text after the first `-`.
 */
export function packageModelOf(type: string): string {
  return PACKAGE_PREFIX + type;
}

/**
 * Returns the other name of a plugin in the list of types: the part before the first `-`, which `ipctl copy adapter` finds
 * in the model; undefined if the type has no `-`.
 */
export function shortTypeOf(type: string): string | undefined {
  const [first = '', ...others] = type.split('-');
  return others.length > 0 && first !== '' ? first : undefined;
}

/** Returns the plugin, among `types`, that a model names by its type, its package or its short type. */
export function typeOfModel(model: string, types: readonly string[]): string | undefined {
  return (
    types.find((type) => model === type || model === packageModelOf(type)) ??
    types.find((type) => model === shortTypeOf(type))
  );
}

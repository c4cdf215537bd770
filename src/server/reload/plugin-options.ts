import { type CheckedPart, checkWritten, type Written } from '../../config/check-written.js';
import type { AdapterPlugin } from '../../core/adapter.js';
import type { Fault } from '../../core/fault.js';
import { valueAt, withValues } from '../../core/pointer.js';
import { Problem } from '../../core/problem.js';
import type { CompileSchema, Validator, ValidationResult } from '../../core/schema.js';
import { locateFault } from './config-section.js';
import type { Plugins } from '../../adapters/plugins.js';
import { referenceSyntax } from './reference-syntax.js';

/** An adapter whose plugin is found, with the plugin's defaults filled in. */
interface CheckedOptions<T extends Written> {
  /** Absent when the type is not known. */
  readonly plugin?: AdapterPlugin;
  /** Why the plugin cannot be used, where it cannot. */
  readonly unusable?: string;
  readonly written: T;
  /** Checks the options of an adapter's value; pointers count from the adapter. */
  readonly validate: Validator;
  readonly faults: readonly Fault[];
}

const OPTIONS = '/options';

/** Finds an adapter's plugin and checks the options as written; a reference is checked once it is resolved. */
export async function checkOptions<T extends Written>(
  written: T,
  plugins: Plugins,
  compile: CompileSchema,
): Promise<CheckedOptions<T>> {
  const unchecked = { written, validate: () => NOTHING, faults: [] };
  const type = valueAt(written.value, '/plugin');
  // The adapter's own schema has named the fault already.
  if (typeof type !== 'string') return unchecked;
  if (!plugins.has(type)) return { ...unchecked, faults: [unknownPlugin(written, plugins)] };
  const { value, secrets } = written;
  const { validate, own, ...found } = await checkOwn(written, await usable(type, plugins, compile), compile);
  return {
    ...found,
    written: {
      ...written,
      value: withValues(value, new Map([[OPTIONS, own.written.value]])),
      secrets: [...secrets, ...own.written.secrets.map(below)],
    },
    validate: (whole) => verdictBelow(validate(valueAt(whole, OPTIONS))),
    faults: own.faults,
  };
}

const NOTHING: ValidationResult = { violations: [], secrets: [], paths: [] };

/** A plugin, and what checks its options. */
interface Usable {
  readonly plugin: AdapterPlugin;
  readonly unusable?: string;
  readonly validate: Validator;
}

/** Checks the options with the plugin's schema, and once more where the plugin completes its schema for them. */
async function checkOwn(
  { document, at, value }: Written,
  found: Usable,
  compile: CompileSchema,
): Promise<Usable & { readonly own: CheckedPart }> {
  const { plugin, validate } = found;
  const place = { document, at: at + OPTIONS, value: valueAt(value, OPTIONS) };
  const own = checkWritten(place, { validate, syntax: referenceSyntax });
  if (!plugin.optionsFor || !document.sound || own.faults.length > 0) return { ...found, own };
  try {
    const complete = compile(await plugin.optionsFor(own.written.value));
    const again = checkWritten(place, { validate: complete, syntax: referenceSyntax });
    return { plugin, validate: complete, own: again };
  } catch (error) {
    return { ...brokenPlugin(plugin.type, error), validate, own };
  }
}

/** The author's mistake must not stop the others: each adapter of such a plugin is dead, and the rest serve. */
async function usable(type: string, plugins: Plugins, compile: CompileSchema): Promise<Usable> {
  try {
    const plugin = await plugins.load(type);
    return { plugin, validate: compile(plugin.options) };
  } catch (error) {
    return { ...brokenPlugin(type, error), validate: () => NOTHING };
  }
}

/** Stands in for a plugin that cannot be used, and tells why as soon as it is. */
function brokenPlugin(type: string, error: unknown): Required<Pick<Usable, 'plugin' | 'unusable'>> {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const unusable = `its plugin "${type}" cannot be used: ${reason}`;
  const plugin: AdapterPlugin = {
    type,
    apiVersion: 1,
    summary: 'Cannot be used.',
    options: {},
    create() {
      throw new Problem('adapter_unavailable', unusable);
    },
  };
  return { plugin, unusable };
}

function unknownPlugin(written: Written, { types }: Plugins): Fault {
  return locateFault(written, {
    pointer: '/plugin',
    code: 'plugin',
    message: 'there is no such adapter plugin',
    fix: `Use one of ${types.join(', ')}, or install the npm package of this name beside the configuration.`,
  });
}

function below(pointer: string): string {
  return OPTIONS + pointer;
}

function verdictBelow({ violations, secrets, paths }: ValidationResult): ValidationResult {
  return {
    violations: violations.map((violation) => ({ ...violation, pointer: below(violation.pointer) })),
    secrets: secrets.map(below),
    paths: paths.map(below),
  };
}

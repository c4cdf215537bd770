import { PLUGIN_KEYWORD } from '../../adapters/plugin-packages.js';
import type { Plugins } from '../../adapters/plugins.js';
import { runWithTimeout } from '../../adapters/run-within.js';
import { validateAdapter } from '../../config/adapter-schema.js';
import { type CheckedPart, checkWritten, type Written } from '../../config/check-written.js';
import { callPlugin } from '../../core/adapter-method.js';
import type { AdapterPlugin } from '../../core/adapter.js';
import { NO_OVERRIDES } from '../../core/component.js';
import type { Fault } from '../../core/fault.js';
import { Problem } from '../../core/problem.js';
import type { CompileSchema, JsonSchema, ValidationResult, Validator } from '../../core/schema.js';
import { objectOf } from '../../json/json-object.js';
import { pointerTo, valueAt, withValues } from '../../json/pointer.js';
import { didYouMean } from '../../lib/closest-name.js';
import { errorMessage } from '../../lib/error-message.js';
import { sharedIfEmpty } from '../../lib/shared-if-empty.js';
import { adapterSchema } from '../../settings/adapter.js';
import { locateFault, referenceSyntax, toConfigSection, type AdapterConfig } from './configuration.js';

/** Dependencies of the check of an adapter. */
export interface CheckDeps {
  readonly compile: CompileSchema;
  readonly plugins: Plugins;
}

/** An adapter with its faults. */
export interface CheckedAdapterConfig {
  /** Absent if the plugin is unknown. */
  readonly adapter?: AdapterConfig;
  readonly faults: readonly Fault[];
}

/** Loads the plugin of an adapter and checks the adapter as written. References are checked after they are resolved. */
export async function checkAdapter(
  written: Written,
  { plugins, compile }: CheckDeps,
): Promise<CheckedAdapterConfig> {
  const type = valueAt(written.value, '/plugin');
  if (typeof type !== 'string' || !plugins.has(type)) {
    // The schema of adapters has already reported a type that is no text.
    const unknown = typeof type === 'string' ? [unknownPlugin(written, type, plugins)] : [];
    return { faults: [...unknown, ...toConfigSection(written, () => NO_RESULT).faults] };
  }
  const loaded = await loadUsable(type, plugins, compile);
  const { plugin, pluginFault, validate, options } = await checkOptions(written, loaded, compile);
  // The section keeps this function, but not the faults.
  const { section, faults } = toConfigSection(withOptions(written, options.written), (value) => {
    const common = validateAdapter(value, compile);
    const own = toAdapterResult(validate(valueAt(value, OPTIONS_POINTER)));
    return {
      violations: [...common.violations, ...own.violations],
      secrets: [...common.secrets, ...own.secrets],
      paths: [...common.paths, ...own.paths],
    };
  });
  const runs = valueAt(section.written.value, '/enabled') !== false;
  const codeGeneration = plugins.generationOf(type);
  const codeDigest = plugins.digestOf(type);
  const ofPlugin = { plugin, codeGeneration, codeDigest };
  const adapter = { ...section, ...ofPlugin, id: written.id, overrides: NO_OVERRIDES, runs };
  return {
    adapter: pluginFault === undefined ? adapter : { ...adapter, pluginFault },
    faults: [...options.faults, ...faults],
  };
}

/** Returns faults whose fix says where an option of the plugin belongs, if it is beside the settings of the adapter. */
export function withOptionAdvice(
  faults: readonly Fault[],
  adapters: readonly (Pick<AdapterConfig, 'written' | 'plugin'> | undefined)[],
): readonly Fault[] {
  // Almost every load has no fault, and many adapters.
  if (faults.length === 0) return faults;
  const misplaced = adapters.flatMap((adapter) => (adapter ? misplacedOptions(adapter) : []));
  return faults.map((fault) =>
    misplaced.some(({ file, pointer }) => file === fault.file && pointer === fault.pointer)
      ? { ...fault, fix: 'Write it below "options": it is an option of the plugin.' }
      : fault,
  );
}

function misplacedOptions({
  written,
  plugin,
}: Pick<AdapterConfig, 'written' | 'plugin'>): readonly Pick<Fault, 'file' | 'pointer'>[] {
  const known = Object.keys(objectOf(plugin.options['properties']));
  const own = Object.keys(adapterSchema.properties);
  return known
    .filter((name) => !own.includes(name))
    .map((name) => ({ file: written.document.file, pointer: pointerTo(written.at, name) }));
}

const OPTIONS_POINTER = '/options';

/** Returns an adapter with the defaults, secrets and paths of its options. */
function withOptions(written: Written, options: Written): Written {
  const { value, secrets, paths, converted = new Map<string, unknown>() } = written;
  const ofOptions = [...(options.converted ?? [])].map(
    ([pointer, plain]) => [toAdapterPointer(pointer), plain] as const,
  );
  return {
    ...written,
    value: withValues(value, new Map([[OPTIONS_POINTER, options.value]])),
    secrets: [...secrets, ...options.secrets.map(toAdapterPointer)],
    paths: paths && options.paths && [...paths, ...options.paths.map(toAdapterPointer)],
    converted: sharedIfEmpty(new Map([...converted, ...ofOptions])),
  };
}

const NO_RESULT: ValidationResult = { violations: [], secrets: [], paths: [] };

/** A plugin with the validator of its options. */
interface UsablePlugin {
  readonly plugin: AdapterPlugin;
  readonly pluginFault?: string;
  readonly validate: Validator;
}

/** Checks the options with the plugin's schema, and again if the plugin completes its schema for these options. */
async function checkOptions(
  { id, document, at, value }: Written,
  usable: UsablePlugin,
  compile: CompileSchema,
): Promise<UsablePlugin & { readonly options: CheckedPart }> {
  const { plugin, validate } = usable;
  const position = { id, document, at: at + OPTIONS_POINTER, value: valueAt(value, OPTIONS_POINTER) };
  const options = checkWritten(position, { validate, syntax: referenceSyntax });
  if (!plugin.optionsFor || !document.sound || options.faults.length > 0) return { ...usable, options };
  try {
    const complete = compile(await completeSchema(plugin, options.written.value, id));
    const completeOptions = checkWritten(position, { validate: complete, syntax: referenceSyntax });
    return { plugin, validate: complete, options: completeOptions };
  } catch (error) {
    return { ...brokenPlugin(plugin.type, error), validate, options };
  }
}

/** Maximum time for the complete schema of a plugin's options, in milliseconds. */
const SCHEMA_TIMEOUT_MS = 10_000;

/** Returns the complete schema of a plugin. Throws an Error after the time limit. */
async function completeSchema(plugin: AdapterPlugin, options: unknown, adapter: string): Promise<JsonSchema> {
  const call = { plugin: plugin.type, adapter, method: 'optionsFor' };
  const schema = await runWithTimeout(SCHEMA_TIMEOUT_MS, async () =>
    callPlugin(call, () => plugin.optionsFor?.(options)),
  );
  return schema ?? plugin.options;
}

/** Loads a plugin. A plugin that fails to load makes only its own adapters dead. */
async function loadUsable(type: string, plugins: Plugins, compile: CompileSchema): Promise<UsablePlugin> {
  try {
    const plugin = await plugins.load(type);
    return { plugin, validate: compile(plugin.options) };
  } catch (error) {
    return { ...brokenPlugin(type, error), validate: () => NO_RESULT };
  }
}

/** Creates a substitute for a plugin that cannot be used. The substitute throws the reason when it creates an adapter. */
function brokenPlugin(type: string, error: unknown): Required<Pick<UsablePlugin, 'plugin' | 'pluginFault'>> {
  const [reason = ''] = errorMessage(error).split('\n');
  const pluginFault = `its plugin "${type}" cannot be used: ${reason}`;
  const plugin: AdapterPlugin = {
    type,
    apiVersion: 1,
    summary: 'Cannot be used.',
    options: {},
    create() {
      throw new Problem('adapter_unavailable', pluginFault);
    },
  };
  return { plugin, pluginFault };
}

function unknownPlugin(written: Written, name: string, { types, isUnmarkedPackage }: Plugins): Fault {
  if (isUnmarkedPackage(name))
    return locateFault(written, {
      pointer: '/plugin',
      code: 'plugin',
      message: `names an npm package without the keyword "${PLUGIN_KEYWORD}"`,
      fix: `If the package is a plugin, add "${PLUGIN_KEYWORD}" to "keywords" in node_modules/${name}/package.json.`,
    });
  return locateFault(written, {
    pointer: '/plugin',
    code: 'plugin',
    message: `there is no such adapter plugin${didYouMean(name, types)}`,
    fix: `Use one of ${types.join(', ')}, or install the npm package of this name beside the configuration.`,
  });
}

function toAdapterPointer(pointer: string): string {
  return OPTIONS_POINTER + pointer;
}

function toAdapterResult({ violations, secrets, paths }: ValidationResult): ValidationResult {
  return {
    violations: violations.map((violation) => ({
      ...violation,
      pointer: toAdapterPointer(violation.pointer),
    })),
    secrets: secrets.map(toAdapterPointer),
    paths: paths.map(toAdapterPointer),
  };
}

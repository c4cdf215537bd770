import { PLUGIN_KEYWORD } from '../../adapters/plugin-packages.js';
import type { Plugins } from '../../adapters/plugins.js';
import { runWithTimeout } from '../../adapters/run-within.js';
import { validateAdapter } from '../../config/adapter-schema.js';
import { type CheckedPart, checkWritten, type Written } from '../../config/check-written.js';
import type { WrittenAdapter } from '../../config/load.js';
import type { AdapterPlugin } from '../../core/adapter.js';
import type { Fault } from '../../core/fault.js';
import { callPlugin } from '../../core/plugin-call.js';
import { Problem } from '../../core/problem.js';
import type { CompileSchema, JsonSchema, ValidationResult, Validator } from '../../core/schema.js';
import { valueAt, withValues } from '../../json/pointer.js';
import { didYouMean } from '../../lib/closest-name.js';
import { errorMessage } from '../../lib/error-message.js';
import { sharedIfEmpty } from '../../lib/shared-if-empty.js';
import { locateFault, referenceSyntax, toConfigSection } from './config-section.js';
import type { AdapterConfig } from './desired-state.js';

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

/** Loads the plugin of an adapter and checks the adapter as written. */
export async function checkAdapter(
  written: WrittenAdapter,
  { plugins, compile }: CheckDeps,
): Promise<CheckedAdapterConfig> {
  const { id } = written;
  const checked = await checkOptions(written, plugins, compile);
  // The section keeps this function, but not the faults.
  const { validate } = checked;
  const { section, faults } = toConfigSection(id, checked.written, (value) => {
    const common = validateAdapter(value, compile);
    const options = validate(value);
    return {
      violations: [...common.violations, ...options.violations],
      secrets: [...common.secrets, ...options.secrets],
      paths: [...common.paths, ...options.paths],
    };
  });
  const allFaults = [...checked.faults, ...faults];
  const { plugin, pluginFault } = checked;
  if (!plugin) return { faults: allFaults };
  const usable = { ...section, id, plugin };
  return { adapter: pluginFault === undefined ? usable : { ...usable, pluginFault }, faults: allFaults };
}

/** An adapter with its plugin and the defaults of the plugin's options. */
interface CheckedOptions {
  /** Absent if the type is unknown. */
  readonly plugin?: AdapterPlugin;
  /** Why the plugin cannot be used; absent if it can. */
  readonly pluginFault?: string;
  readonly written: WrittenAdapter;
  /** Validates the options in the value of an adapter. Pointers are relative to the adapter. */
  readonly validate: Validator;
  readonly faults: readonly Fault[];
}

const OPTIONS_POINTER = '/options';

/** Finds the plugin of an adapter and checks the options as written. References are checked after they are resolved. */
async function checkOptions(
  written: WrittenAdapter,
  plugins: Plugins,
  compile: CompileSchema,
): Promise<CheckedOptions> {
  const unchecked = { written, validate: () => NO_RESULT, faults: [] };
  const type = valueAt(written.value, '/plugin');
  // The schema of adapters has already reported this fault.
  if (typeof type !== 'string') return unchecked;
  if (!plugins.has(type)) return { ...unchecked, faults: [unknownPlugin(written, type, plugins)] };
  const { value, secrets, paths, converted = new Map<string, unknown>() } = written;
  const loaded = await loadUsable(type, plugins, compile);
  const { validate, options, ...usable } = await checkPluginOptions(written, loaded, compile);
  return {
    ...usable,
    written: {
      ...written,
      value: withValues(value, new Map([[OPTIONS_POINTER, options.written.value]])),
      secrets: [...secrets, ...options.written.secrets.map(toAdapterPointer)],
      paths: paths && options.written.paths && [...paths, ...options.written.paths.map(toAdapterPointer)],
      converted: sharedIfEmpty(new Map([...converted, ...toAdapterValues(options.written.converted)])),
    },
    validate: (adapterValue) => toAdapterResult(validate(valueAt(adapterValue, OPTIONS_POINTER))),
    faults: options.faults,
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
async function checkPluginOptions(
  { document, at, value, id }: WrittenAdapter,
  usable: UsablePlugin,
  compile: CompileSchema,
): Promise<UsablePlugin & { readonly options: CheckedPart }> {
  const { plugin, validate } = usable;
  const position = { document, at: at + OPTIONS_POINTER, value: valueAt(value, OPTIONS_POINTER) };
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

function toAdapterValues(
  values: ReadonlyMap<string, unknown> = new Map(),
): readonly (readonly [pointer: string, value: unknown])[] {
  return [...values].map(([pointer, value]) => [toAdapterPointer(pointer), value]);
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

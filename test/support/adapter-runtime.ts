import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ComponentOverrides, NO_OVERRIDES } from '../../src/core/component.js';
import type { ComponentKind, NamedRecord, PlatformState } from '../../src/core/platform-state.js';
import { systemScheduler } from '../../src/lib/clock.js';
import type { Resolution } from '../../src/secrets/open-secrets.js';
import { createAdapterFactories } from '../../src/server/adapter-factories.js';
import { createConfigLoader } from '../../src/server/config-loader.js';
import { enabledSections } from '../../src/server/state/configuration.js';
import { ReloadCounter } from '../../src/server/state/reload-metrics.js';
import { ReloadQueue } from '../../src/server/state/reload-queue.js';
import { buildFirstSnapshot, createReload } from '../../src/server/state/reload.js';
import { resolveSections } from '../../src/server/state/resolve.js';
import { SecretProofs } from '../../src/server/state/secret-proofs.js';
import { SnapshotHolder } from '../../src/server/state/swap.js';
import { createRedactor } from '../../src/telemetry/log/redactor.js';
import { createFakeScheduler } from './fake-scheduler.js';
import { memoryLog } from './memory-log.js';
import { recordingPlugin } from './recording-plugin.js';
import { temporaryFolder } from './temporary-folder.js';

export const MAIN =
  'vault: { address: "https://vault.example", auth: { method: token }, adapterScope: "" }\n' +
  'egress: { adapters: [127.0.0.0/8] }\n';

type Json = Readonly<Record<string, unknown>>;

/** Creates an adapter record as a client registers it, with additional or different properties. */
export function recordOf(name: string, own: Json = {}, model = 'recording'): NamedRecord {
  const properties = { baseUrl: 'http://127.0.0.1:9', ...own };
  const document = {
    name,
    type: 'Adapter',
    model,
    isEncrypted: false,
    loggerProps: {},
    virtual: false,
    properties: { id: name, type: '', brokers: [], groups: [], properties },
  };
  return { name, revision: 1, id: 'a'.repeat(24), document };
}

/** Text of an adapter's file. */
export function fileOf(more = ''): string {
  return `plugin: recording\nbaseUrl: http://127.0.0.1:9\n${more}`;
}

export interface TestRuntimeOptions {
  /** Text of the main file. */
  readonly main?: string;
  /** Adapters that are registered before the start. */
  readonly records?: readonly NamedRecord[];
  /** Pointers into the main file whose references have a value from the start. */
  readonly values?: readonly string[];
  /** Called before the configuration is read. */
  readonly arrange?: (folders: { readonly folder: string; readonly pluginFolder: string }) => void;
}

/**
 * Opens the runtime on a configuration folder; the returned object also controls the adapters registered
 * through the API.
 */
export async function openRuntime(options: TestRuntimeOptions = {}) {
  const folder = temporaryFolder().path;
  const configPath = join(folder, 'gatehouse.yaml');
  mkdirSync(join(folder, 'adapters'));
  writeFileSync(configPath, options.main ?? MAIN);
  const { pluginFolder, created } = recordingPlugin();
  options.arrange?.({ folder, pluginFolder });
  const { log, lines } = memoryLog();
  const values = new Map<string, Resolution>(
    (options.values ?? []).map((pointer) => [pointer, { value: 'sqlite::memory:' }]),
  );
  const secrets = { resolve: () => Promise.resolve(values) };
  const allOverrides = {
    adapter: new Map<string, ComponentOverrides>(),
    application: new Map<string, ComponentOverrides>(),
  };
  const records = new Map((options.records ?? []).map((record) => [record.name, record]));
  const asked: { profile?: NamedRecord | undefined; failure?: Error | undefined; reads: number } = {
    reads: 0,
  };
  const state = (): PlatformState => ({
    revision: 1,
    adapters: [...records.values()],
    accessRules: [],
    limits: [],
    overrides: { adapter: new Map(allOverrides.adapter), application: new Map(allOverrides.application) },
    pending: [],
    storeAheadMs: 0,
    ...(asked.profile && { profile: asked.profile }),
  });
  const readState = (): Promise<PlatformState> => {
    asked.reads += 1;
    return asked.failure ? Promise.reject(asked.failure) : Promise.resolve(state());
  };
  const { plugins, read, combine } = await createConfigLoader({ configPath, env: {}, pluginFolder });
  const parts = {
    redactor: createRedactor(),
    factories: createAdapterFactories({ clock: systemScheduler, log }),
    log,
    clock: systemScheduler,
  };
  const first = await read(state());
  assert.deepEqual(first.faults, []);
  const { desired } = first;
  const resolved = await resolveSections(enabledSections(desired), secrets);
  const current = new SnapshotHolder(await buildFirstSnapshot({ desired, resolved }, parts));
  const counter = new ReloadCounter();
  const reload = createReload({
    ...parts,
    read,
    combine,
    plugins,
    readState,
    started: desired,
    current,
    proofs: new SecretProofs(systemScheduler, log),
    secrets: { ...secrets, watch: () => undefined },
    setLevels: () => undefined,
    deadlines: { watch: () => undefined },
    counter,
  });
  const scheduler = createFakeScheduler();
  const reloader = new ReloadQueue({ current, reload, counter, scheduler, log });
  const fileAt = (id: string): string => join(folder, 'adapters', `${id}.yaml`);
  return {
    folder,
    configPath,
    pluginFolder,
    current,
    reloader,
    values,
    records,
    lines,
    created,
    asked,
    write: (id: string, text: string): void => {
      writeFileSync(fileAt(id), text);
    },
    erase: (id: string): void => {
      rmSync(fileAt(id), { force: true });
    },
    register: (...added: readonly NamedRecord[]): void => {
      for (const record of added) records.set(record.name, record);
    },
    setOverrides: (
      name: string,
      overrides: Partial<ComponentOverrides>,
      kind: ComponentKind = 'adapter',
    ): void => {
      allOverrides[kind].set(name, { ...NO_OVERRIDES, ...allOverrides[kind].get(name), ...overrides });
    },
    activate: (document?: Json): void => {
      asked.profile = document && { name: 'night', revision: 1, id: 'b'.repeat(24), document };
    },
    reload: () => reloader.reload(),
    /** Reads the files and combines them with the state of the API. */
    read: () => read(state()),
    applyRecords: () => reloader.applyRecords(),
    instance: (id: string) => current.current().adapters.get(id),
    /** State of each adapter by adapterId; for a failed adapter the reason of the failure. */
    states: (): Readonly<Record<string, string>> =>
      Object.fromEntries(
        [...current.current().adapters].map(([id, instance]) => {
          const adapterState = instance.state();
          return [id, adapterState.name === 'DEAD' ? `DEAD: ${adapterState.reason}` : adapterState.name];
        }),
      ),
    close: async (): Promise<void> => {
      await reloader.close();
      await current.close();
    },
  };
}

export type TestRuntime = Awaited<ReturnType<typeof openRuntime>>;

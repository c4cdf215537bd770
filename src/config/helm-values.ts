import { isAbsolute, relative } from 'node:path';
import { type Fault, faultAt } from '../core/fault.js';
import { isJsonObject } from '../json/json-object.js';
import { pointerTo, valueAt } from '../json/pointer.js';
import { didYouMean } from '../lib/closest-name.js';
import { readDocument, type WrittenDocument } from './document.js';
import type { Environment } from './interpolate.js';
import { readText } from './read-text.js';
import { writeYaml } from './yaml.js';

/** Where the chart mounts the configuration. Relative paths of the configuration start there. */
const MAIN_FILE = '/etc/gatehouse/gatehouse.yaml';

/** Where the chart mounts the token for Vault. */
const TOKEN_FOLDER = '/var/run/secrets/gatehouse';

/** The configuration that the Helm chart makes of values. */
interface HelmConfiguration {
  readonly path: string;
  /** The main file as it is in the pod, with the adapters. */
  readonly mainText: string;
  /** The variables of the container whose values are in the values. */
  readonly env: Environment;
  /** Faults of the values themselves. If there are any, the configuration must not be used. */
  readonly faults: readonly Fault[];
  /** Returns a fault of the main file with its place in the values. */
  locate(fault: Fault): Fault;
  /** Returns true for a fault of a file that only the pod has, because a volume brings it. */
  isOfPod(fault: Fault): boolean;
}

/**
 * Reads values as Helm does: those of the chart first, and each file over the files before it. An object replaces single
 * members, another value replaces the whole value, and `null` removes it.
 */
export function readHelmValues(chartValues: string, files: readonly string[]): HelmConfiguration {
  const documents = [chartValues, ...files].map(readValuesFile);
  const defaults = isJsonObject(documents[0]?.value) ? documents[0].value : {};
  const values = documents.map(({ value }) => value).reduce(merge);
  const { config = {}, adapters = {}, env, extraVolumeMounts } = isJsonObject(values) ? values : {};
  // The template writes the adapters below the main file, which must not have the key itself.
  const hasAdapters = isJsonObject(adapters) && Object.keys(adapters).length > 0;
  const mainText = writeYaml(config) + (hasAdapters ? writeYaml({ adapters }) : '');
  const main = readDocument({ file: MAIN_FILE, text: mainText }, undefined);
  const volumes = [TOKEN_FOLDER, ...objectsOf(extraVolumeMounts).map(({ mountPath }) => String(mountPath))];
  return {
    path: MAIN_FILE,
    mainText,
    env: Object.fromEntries(
      objectsOf(env).flatMap(({ name, value }) =>
        typeof name === 'string' && typeof value === 'string' ? [[name, value]] : [],
      ),
    ),
    faults: documents.flatMap((document) => [...document.faults, ...unknownKeys(document, defaults)]),
    locate: (fault) => (fault.file === MAIN_FILE ? locateInValues(documents, main, fault) : fault),
    isOfPod: ({ file, pointer }) => {
      const path = valueAt(main.value, pointer);
      return (
        file === MAIN_FILE && typeof path === 'string' && volumes.some((folder) => isBelow(folder, path))
      );
    },
  };
}

/** Reads a file of values. Variables of the environment belong to the pod and stay. */
function readValuesFile(file: string): WrittenDocument {
  const source = readText(file);
  if ('text' in source) return readDocument(source, undefined);
  const fix = 'Name a file with values of the chart.';
  const locate = () => ({ line: 0, column: 0 });
  return { file, value: {}, locate, locateKey: locate, faults: [{ ...source, fix }], sound: false };
}

function merge(below: unknown, above: unknown): unknown {
  if (!isJsonObject(below) || !isJsonObject(above)) return above;
  const members = Object.entries(above).map(([key, value]) => [key, merge(below[key], value)] as const);
  return Object.fromEntries(
    Object.entries({ ...below, ...Object.fromEntries(members) }).filter(([, value]) => value !== null),
  );
}

/** Returns a fault for each key that the chart does not have: its templates would ignore it. */
function unknownKeys(
  document: WrittenDocument,
  defaults: Readonly<Record<string, unknown>>,
): readonly Fault[] {
  const keys = isJsonObject(document.value) ? Object.keys(document.value) : [];
  return keys
    .filter((key) => !Object.hasOwn(defaults, key) && key !== 'global')
    .map((key) => {
      const pointer = pointerTo('', key);
      const suggestion = didYouMean(key, Object.keys(defaults));
      const message = `is not a value of the chart${suggestion.replace(/\?$/, '')}`;
      const fix = 'Correct the name; deploy/helm/gatehouse/values.yaml has all of them.';
      return {
        ...faultAt(document, pointer, { code: 'schema', message, fix }),
        ...document.locateKey(pointer),
      };
    });
}

/** Returns the fault with the file, line, column and pointer of the value, or of the nearest value around it, in the values. */
function locateInValues(documents: readonly WrittenDocument[], main: WrittenDocument, fault: Fault): Fault {
  const candidates = [...documents].reverse().flatMap((document) => {
    const own = pointerInValues(document, fault.pointer);
    return { document, pointer: own, length: lengthOfExisting(document.value, own) };
  });
  const [first, ...others] = candidates;
  if (!first) return fault;
  const { document, pointer } = others.reduce((best, one) => (one.length > best.length ? one : best), first);
  const ofKey = main.locateKey(fault.pointer);
  const isOfKey = ofKey.line === fault.line && ofKey.column === fault.column;
  const position = isOfKey ? document.locateKey(pointer) : document.locate(pointer);
  return { ...fault, ...position, file: document.file, pointer };
}

/** Returns the pointer of a value of the main file in a document of values. */
function pointerInValues({ value }: WrittenDocument, pointer: string): string {
  const isOfAdapters = `${pointer}/`.startsWith('/adapters/') && valueAt(value, '/adapters') !== undefined;
  return isOfAdapters ? pointer : `/config${pointer}`;
}

/** Returns the length of the longest beginning of a pointer that has a value. */
function lengthOfExisting(value: unknown, pointer: string): number {
  if (pointer === '' || valueAt(value, pointer) !== undefined) return pointer.length;
  return lengthOfExisting(value, pointer.slice(0, pointer.lastIndexOf('/')));
}

function objectsOf(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.filter((one) => isJsonObject(one)) : [];
}

function isBelow(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return isAbsolute(path) && !inside.startsWith('..');
}

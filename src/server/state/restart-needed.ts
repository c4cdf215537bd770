import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../../core/schema.js';
import { pointerTo, valueAt } from '../../json/pointer.js';
import { settingsSchema } from '../../settings/settings.js';
import type { Desired } from './configuration.js';

/** Returns the pointers of the keys that the schema marks with `x-restart`. */
function restartKeys(schema: JsonSchema, pointer = ''): readonly string[] {
  if (schema['x-restart'] === true) return [pointer];
  const members = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>);
  return members.flatMap(([name, member]) => restartKeys(member, pointerTo(pointer, name)));
}

/** Pointers of the settings that are opened once at the start. */
const FIXED_AT_START = restartKeys(settingsSchema);

/** A reload can replace the files of the listener, but not change between HTTP and HTTPS. */
const TLS = '/server/tls';
export const LIVE_WITH_TLS = ['certFile', 'keyFile', 'clientCaFile', 'clientCrlFile'].map(
  (name) => `${TLS}/${name}`,
);

/** A reload can disable the built-in issuer, but not enable it, because its key is opened only at the start. */
const LOCAL_ISSUER_ENABLED = '/auth/local/enabled';

/** Returns true if a change of the setting takes effect only at the next start. */
export function appliesAtStart(pointer: string): boolean {
  const fixed = [...FIXED_AT_START, TLS, LOCAL_ISSUER_ENABLED];
  if (LIVE_WITH_TLS.includes(pointer)) return false;
  return fixed.some((one) => pointer === one || pointer.startsWith(`${one}/`));
}

/** Returns the pointers of changed settings that a reload cannot apply. */
export function restartNeeded(started: Desired, next: Desired): readonly string[] {
  const settingOf = ({ main }: Desired, pointer: string): unknown => valueAt(main.written.value, pointer);
  const isNewlyEnabled =
    settingOf(started, LOCAL_ISSUER_ENABLED) === false && settingOf(next, LOCAL_ISSUER_ENABLED) === true;
  const hasOtherProtocol = (settingOf(started, TLS) === null) !== (settingOf(next, TLS) === null);
  const changed = FIXED_AT_START.filter(
    (pointer) =>
      !(hasOtherProtocol && pointer.startsWith(`${TLS}/`)) &&
      !isDeepStrictEqual(settingOf(started, pointer), settingOf(next, pointer)),
  );
  return [...changed, ...(isNewlyEnabled ? [LOCAL_ISSUER_ENABLED] : []), ...(hasOtherProtocol ? [TLS] : [])];
}

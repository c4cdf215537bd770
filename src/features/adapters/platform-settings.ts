import type { AdapterDocument } from '../../core/adapter-document.js';
import type { RequestError } from '../../core/problem.js';

/** Pointer to the settings of an adapter in the body of a request. */
const SETTINGS = '/properties/properties/properties';

/** Settings that adapters of the platform have, and that no plugin of the product has. */
const PLATFORM_SETTINGS = ['host', 'authentication', 'base_path', 'healthcheck', 'throttle', 'protocol'];

/**
 * Replaces the errors of settings that belong to an adapter of the platform by one error that names the page about the move. All
 * other errors stay.
 */
export function explainPlatformSettings(
  { properties: { properties: settings } }: AdapterDocument,
  errors: readonly RequestError[],
): readonly RequestError[] {
  const found = PLATFORM_SETTINGS.filter((name) => name in settings);
  const rejected = found.filter((name) => errors.some(({ pointer }) => pointer === `${SETTINGS}/${name}`));
  if (rejected.length === 0) return errors;
  const message =
    `has settings of the platform (${rejected.join(', ')}): "gatehouse import-properties" converts such an adapter, ` +
    'see docs/how-to/move-from-the-platform.md';
  const others = errors.filter(({ pointer }) => !rejected.some((name) => pointer === `${SETTINGS}/${name}`));
  return [{ pointer: SETTINGS, message }, ...others];
}

import { secretFilesProblem } from '../../secrets/condition.js';
import type { SecretSource } from '../../secrets/open-secrets.js';
import type { SecretStoreSettings } from '../../settings/secret-files.js';
import type { ServiceProbe } from './deps.js';

/** Returns the probe of the files of secrets; none if no folder is configured. */
export function secretFilesProbe(
  { files }: SecretStoreSettings,
  secrets: Pick<SecretSource, 'inUse'>,
): readonly ServiceProbe[] {
  if (!files) return [];
  const reason = (): string | undefined => secretFilesProblem(secrets.inUse());
  const running = (): Promise<boolean> => Promise.resolve(reason() === undefined);
  return [{ service: 'secret files', running, reason }];
}

import type { FromSchema } from './from-schema.js';
import { bytes, file, integer, section } from './schema-parts.js';
import { adapterScope } from './vault.js';

/** Schema of the key `secrets`. */
export const secretsSchema = section(
  ['Secrets', 'Stores of secrets besides Vault.'],
  {
    files: section(
      [
        'Files',
        'Folder that $FILE_ references are read from, for example a mounted Secret of Kubernetes; null rejects such references.',
      ],
      {
        root: file(
          'Folder',
          'Folder that the paths of references are below, such as /run/secrets or ${CREDENTIALS_DIRECTORY}. Links are followed only inside it.',
        ),
        maxBytes: bytes('Size', 'Maximum size of a file, in bytes.', 65_536),
        pollSeconds: integer(
          'Poll interval',
          'Time between two checks of the files where the file system reports no changes, in seconds.',
          { minimum: 1, maximum: 86_400, default: 10 },
        ),
        adapterScope: adapterScope(
          'Path below the folder that adapters registered through the API may refer to; {name} is the name of the adapter, an empty text allows all.',
        ),
      },
      { type: ['object', 'null'], default: null, required: ['root'] },
    ),
  },
  { default: {}, 'x-restart': true },
);

/** Settings of the stores of secrets besides Vault. */
export type SecretStoreSettings = FromSchema<typeof secretsSchema>;

export type SecretFileSettings = NonNullable<SecretStoreSettings['files']>;

import { useMemo } from 'react';
import { useRead } from '../../api/queries.js';
import { useSession } from '../../app/session.js';
import type { Secrets } from '../secrets/secret.js';
import { type OfferReferences, offeredReferences } from './references.js';

/** Returns the references that the form offers for an adapter; undefined without a Vault, or until they are read. */
export function useOfferedReferences(adapter: string): OfferReferences | undefined {
  const { may } = useSession();
  const { data } = useRead<Secrets>('/console/secrets', { enabled: may('getSecrets') });
  const [vault, references] = [data?.vault, data?.references];
  // Other members change with every read: only these change what the form offers.
  const key = JSON.stringify([
    vault?.adapterScope,
    vault?.mount,
    references?.map(({ reference }) => reference),
  ]);
  return useMemo(
    () => (vault && references ? offeredReferences({ vault, references }, adapter) : undefined),
    [key, adapter],
  );
}

/** Result of one step of a connection test, as the server reports it. */
export interface ConnectionStep {
  readonly step: 'name' | 'tcp' | 'tls' | 'login' | 'read';
  readonly verdict: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly ms: number | null;
  readonly message: string;
  readonly fix: string | null;
  readonly certificate?: { readonly subject: string; readonly issuer: string; readonly notAfter: number };
}

/** Result of a connection test. */
export interface ConnectionTest {
  readonly ok: boolean;
  readonly targets: readonly { readonly baseUrl: string; readonly steps: readonly ConnectionStep[] }[];
}

/** Returns the first step with a verdict. */
export function firstWith(
  { targets }: ConnectionTest,
  verdict: ConnectionStep['verdict'],
): ConnectionStep | undefined {
  return targets.flatMap(({ steps }) => steps).find((step) => step.verdict === verdict);
}

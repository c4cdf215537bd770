import type { YangSettings } from '../../src/settings/forms.js';

/** Limits of a conversion that no small module exceeds. */
export const YANG_LIMITS: YangSettings = {
  maxBytes: 67_108_864,
  maxStatements: 4_000_000,
  maxNodes: 1_000_000,
  timeoutMs: 60_000,
  memoryMb: 1024,
};

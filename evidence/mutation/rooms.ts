/**
 * A part of the product, and the tests that must notice when it is broken: globs of compiled files, without
 * `.js`.
 */
export interface MutatedRoom {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

/** Groups of source files that enforce access, or that record it afterwards. */
export const MUTATED_ROOMS: Readonly<Record<string, MutatedRoom>> = {
  audit: {
    sources: ['src/features/audit/{trail/**/*,audit-trail,chain}', 'src/core/audit'],
    tests: [
      'test/features/audit/trail/**/*.test',
      'test/features/audit/audit-trail.test',
      'test/cli/audit.test',
    ],
  },
  egress: {
    sources: ['src/upstream/{egress-*,address,header-rules}'],
    tests: ['test/upstream/{egress-*,address,caller-headers}.test'],
  },
  paths: {
    sources: ['src/upstream/target'],
    tests: ['test/upstream/target.test'],
  },
  auth: { sources: ['src/auth/**/*'], tests: ['test/auth/**/*.test'] },
  config: {
    sources: ['src/config/**/*'],
    // The first file detects most changes of schemas.
    tests: [
      'test/config/settings-schema.test',
      'test/config/**/*.test',
      'test/features/profiles/index.test',
      'test/cli/check-helm-values.test',
    ],
  },
};

/** Tests of other processes: these do not run the mutated code and take long. */
export const OTHER_PROCESSES = 'PostgreSQL|several processes|kill -9';

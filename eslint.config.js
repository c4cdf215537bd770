import tseslint from 'typescript-eslint';
import knownSpreadMembers from './scripts/lint/known-spread-members.js';

/** Rules of all code that need no types. */
const COMMON_RULES = {
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
  'max-depth': ['error', 3],
  'max-params': ['error', 3],
  complexity: ['error', 12],
  eqeqeq: 'error',
  'no-eval': 'error',
  'prefer-const': 'error',
};

// One linter, strict and typed. A rule that is off says why.
export default tseslint.config(
  { ignores: ['dist/**', '.build-*/**', '**/node_modules/**', 'data/**', 'docs/.site/**', 'site/.pages/**'] },
  {
    files: [
      'src/**/*.ts',
      'plugins/**/*.ts',
      'demo/**/*.ts',
      'test/**/*.ts',
      'evidence/**/*.ts',
      'site/src/**/*.ts',
      'bench/**/*.ts',
      'console/**/*.{ts,tsx}',
    ],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: `${import.meta.dirname}` },
    },
    plugins: { gatehouse: { rules: { 'known-spread-members': knownSpreadMembers } } },
    rules: {
      'gatehouse/known-spread-members': 'error',
      // Index signatures are read with ['name'] (noPropertyAccessFromIndexSignature), so both rules cannot hold.
      '@typescript-eslint/dot-notation': 'off',
      // Numbers and booleans in a message are what they look like.
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      ...COMMON_RULES,
      'no-console': 'error',
      'no-useless-rename': 'error',
      'object-shorthand': ['error', 'always', { avoidQuotes: true }],
      // One import a module, types marked inside it.
      'no-duplicate-imports': 'error',
    },
  },
  {
    // Packages of their own: the rules without types, because their imports exist only where gatehouse is installed.
    files: ['examples/**/*.{js,ts}'],
    extends: [...tseslint.configs.strict, ...tseslint.configs.stylistic],
    rules: {
      ...COMMON_RULES,
    },
  },
  {
    files: ['console/**/*.{ts,tsx}'],
    rules: {
      // What is done when something is pressed reads best in one line.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['demo/**/*.ts', 'test/**/*.ts', 'evidence/**/*.ts'],
    rules: {
      // Mocha's describe and it return nothing useful to await.
      '@typescript-eslint/no-floating-promises': ['error', { allowForKnownSafeCalls: ['describe', 'it'] }],
      // A test reads clearer with its expectation written out than with a guard before it.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
);

import type { CommandEntry } from './lib/command.js';

/** Commands of `gatehouse`, in the order of their list. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'init',
    summary: 'write a first configuration: certificate, user and an adapter with recorded replies',
    load: async () => (await import('./init/init.js')).init,
  },
  {
    name: 'serve',
    summary: 'serve a configuration until SIGTERM, SIGINT or SIGQUIT; SIGHUP reloads it',
    load: async () => (await import('./serve.js')).serve,
  },
  {
    name: 'demo',
    summary: 'show gatehouse at work, with an orchestrator and a Vault on this machine',
    load: async () => (await import('./demo.js')).demo,
  },
  {
    name: 'check',
    summary: 'report every error of a configuration, without opening a port',
    load: async () => (await import('./check.js')).check,
  },
  {
    name: 'fmt',
    summary: 'format the files of a configuration; comments and values stay',
    load: async () => (await import('./fmt.js')).fmt,
  },
  {
    name: 'can',
    summary: 'explain whether a caller may call an operation through an adapter',
    load: async () => (await import('./can.js')).can,
  },
  {
    name: 'schemas',
    summary: 'write the JSON Schemas of the configuration files, for editors',
    load: async () => (await import('./schemas.js')).schemas,
  },
  {
    name: 'secrets',
    summary: 'check the references to Vault, or move secrets there',
    load: async () => (await import('./secrets.js')).secrets,
  },
  {
    name: 'login',
    summary: 'sign in to a gatehouse server from a shell',
    load: async () => (await import('./login/login.js')).login,
  },
  {
    name: 'whoami',
    summary: 'print your identity at a gatehouse server',
    load: async () => (await import('./login/login.js')).whoami,
  },
  {
    name: 'logout',
    summary: 'sign out of a gatehouse server, and delete its tokens',
    load: async () => (await import('./login/login.js')).logout,
  },
  {
    name: 'dump',
    summary: 'write the adapters, profiles, forms and rules of a running gatehouse to files',
    load: async () => (await import('./records/apply.js')).dump,
  },
  {
    name: 'diff',
    summary: 'compare such files with a running gatehouse',
    load: async () => (await import('./records/diff.js')).diff,
  },
  {
    name: 'apply',
    summary: 'make a running gatehouse equal to such files',
    load: async () => (await import('./records/apply.js')).apply,
  },
  {
    name: 'token',
    summary: "print your token, or issue one with this server's signing key",
    load: async () => (await import('./token.js')).token,
  },
  {
    name: 'rotate-key',
    summary: "replace this server's signing key; tokens of the previous key stay valid for a day",
    load: async () => (await import('./rotate-key.js')).rotateKey,
  },
  {
    name: 'hash',
    summary: 'create the scrypt hash of a password',
    load: async () => (await import('./hash.js')).hash,
  },
  {
    name: 'forms',
    summary: 'export the JSON forms to a file, or import them',
    load: async () => (await import('./forms.js')).forms,
  },
  {
    name: 'profile',
    summary: 'print the active profile, or deactivate it',
    load: async () => (await import('./profile.js')).profile,
  },
  {
    name: 'yang',
    summary: 'compile YANG modules to JSON Schema',
    load: async () => (await import('./yang/yang.js')).yang,
  },
  {
    name: 'backup',
    summary: 'write the configuration, database, audit trail and keys to a file',
    load: async () => (await import('./backup/backup.js')).backup,
  },
  {
    name: 'restore',
    summary: 'put the files of a backup in their places, and verify them',
    load: async () => (await import('./backup/restore.js')).restore,
  },
  {
    name: 'audit',
    summary: 'verify the audit trail',
    load: async () => (await import('./audit.js')).audit,
  },
  {
    name: 'plugin',
    summary: 'create an adapter plugin',
    load: async () => (await import('./plugin/plugin.js')).plugin,
  },
  {
    name: 'adapter',
    summary: 'create an adapter from an OpenAPI document',
    load: async () => (await import('./adapter/adapter.js')).adapter,
  },
  {
    name: 'openapi',
    summary: 'print the OpenAPI 3.1 description of the API',
    load: async () => (await import('./openapi.js')).openapi,
  },
  {
    name: 'import-properties',
    summary: "convert the platform's properties and service configs to a configuration",
    load: async () => (await import('./import-properties/import-properties.js')).importProperties,
  },
  {
    name: 'completion',
    summary: 'print a script that completes commands and options in a shell',
    load: async () => (await import('./completion.js')).createCompletion(COMMANDS),
  },
];

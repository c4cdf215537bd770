import type { CompileSchema, ValidationResult } from '../core/schema.js';
import { type Settings, settingsSchema } from '../settings/settings.js';

/** Validates the main part again after its references were resolved. */
export function validateMain(value: unknown, compile: CompileSchema): ValidationResult {
  return compile(settingsSchema)(value);
}

/**
 * Returns the valid and resolved main part as its type. Converts a single audience or address of Vault into a
 * list.
 */
export function asSettings(value: unknown): Settings {
  const settings = value as Settings;
  const issuers = settings.auth.issuers.map((issuer) => ({ ...issuer, audience: listOf(issuer.audience) }));
  const vault = settings.vault && { ...settings.vault, address: listOf(settings.vault.address) };
  return { ...settings, auth: { ...settings.auth, issuers }, vault };
}

function listOf(value: readonly string[] | string): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}

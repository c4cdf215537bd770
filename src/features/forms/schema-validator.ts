import { callerKey } from '../../core/principal.js';
import { Problem } from '../../core/problem.js';
import type { YangModelReference } from '../../core/yang.js';
import {
  type SchemaValidationResult,
  type TaskCaller,
  YANG_DIALECT,
} from '../../json-schema/validator-pool/schema-validator.js';
import { validationProblemOf } from '../../json-schema/validator-pool/validation-problem.js';
import {
  type ValidatorOptions,
  openValidatorPool,
  type OpenValidatorPool,
} from '../../json-schema/validator-pool/validator-pool.js';
import type { YangSettings } from '../../settings/forms.js';
import { type DocumentReply, DocumentWorkers } from '../../yang/validate-in-worker.js';
import type { YangModelStore } from '../yang-forms/store.js';
import { limitsOf } from '../yang-forms/yang-limits.js';

/** Options of {@link openSchemaValidator}. */
interface SchemaValidatorOptions extends Omit<ValidatorOptions, 'thread' | 'loadInline'> {
  /** YANG models that schemas refer to; absent: no model is stored. */
  readonly yangModels?: YangModelStore;
  /** Limits of the compilation of a model; absent: the default limits. */
  readonly yang?: YangSettings;
}

/**
 * Opens a validator for the schemas of callers. Its threads run the schema engine of gatehouse. Data that is valid by a
 * schema that was compiled from YANG is also validated by the YANG model, with `when`, `must` and references.
 */
export function openSchemaValidator({
  yangModels,
  yang,
  ...options
}: SchemaValidatorOptions): OpenValidatorPool {
  const { scheduler } = options;
  const pool = openValidatorPool({
    ...options,
    thread: new URL('./validator-thread.js', import.meta.url),
    // Loaded with the first form that needs it, because an idle server has no use for it.
    loadInline: () => import('./inline-engine.js'),
  });
  const workers = new DocumentWorkers(new URL('../yang-forms/yang-document-thread.js', import.meta.url), {
    scheduler,
    ...(yang && { limits: limitsOf(yang), megabytes: yang.memoryMb }),
  });
  const findArchive = async (digest: string) => yangModels?.find(digest, scheduler.now());
  const withModel = async (
    { yangModel: model, ...result }: SchemaValidationResult,
    body: Uint8Array,
    { principal, signal }: TaskCaller,
  ): Promise<SchemaValidationResult> => {
    if (!model || !result.valid) return result;
    const request = { model, body, owner: callerKey(principal), signal, findArchive };
    const reply = await workers.validate(request).catch((error: unknown) => {
      throw validationProblemOf(error, {
        task: 'Validating the data by its YANG model',
        time: `${workers.timeoutMs} ms`,
        memory: 'needs too much memory',
      });
    });
    if (reply === 'model-missing')
      return result.dialect === YANG_DIALECT ? NO_MODEL : { ...result, yang: reply };
    return { ...result, ...resultOf(reply, model) };
  };
  return {
    decode: (body, bodySchema, caller) => pool.decode(body, bodySchema, caller),
    validateData: async (body, caller) => withModel(await pool.validateData(body, caller), body, caller),
    validateForm: async (form, body, caller) =>
      withModel(await pool.validateForm(form, body, caller), body, caller),
    async close() {
      await Promise.all([pool.close(), workers.close()]);
    },
  };
}

/** Result for a document of XML whose model is not stored. */
const NO_MODEL: SchemaValidationResult = {
  valid: false,
  errors: [
    {
      instancePath: '',
      keyword: 'yang',
      message: 'is XML, which only the YANG model validates; convert the modules again with yangToSchema',
    },
  ],
  truncated: false,
  dialect: YANG_DIALECT,
  yang: 'model-missing',
};

function resultOf(
  reply: Exclude<DocumentReply, 'model-missing'>,
  { modules }: YangModelReference,
): Partial<SchemaValidationResult> {
  if ('tooCostly' in reply)
    throw new Problem(
      'schema_too_costly',
      `${reply.tooCostly} (YANG ${modules.length === 1 ? 'module' : 'modules'} ${modules.join(', ')}).`,
    );
  if ('internalError' in reply) throw new Error(reply.internalError);
  const errors = reply.violations.map(({ pointer, rule, message, appTag }) => ({
    instancePath: pointer,
    keyword: rule,
    message,
    ...(appTag !== undefined && { appTag }),
  }));
  return { yang: 'checked', valid: errors.length === 0, errors, truncated: reply.isTruncated };
}

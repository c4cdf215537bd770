/** Built-in types (RFC 7950 4.2.4). */
export const BASE_TYPES = [
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'decimal64',
  'string',
  'boolean',
  'enumeration',
  'bits',
  'binary',
  'leafref',
  'identityref',
  'empty',
  'union',
  'instance-identifier',
] as const;

export type BaseType = (typeof BASE_TYPES)[number];

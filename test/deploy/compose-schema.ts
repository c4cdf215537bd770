/** Returns a schema with the keywords of draft 2019-09. */
export function asDraft2019(schema: object): object {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
  );
  return JSON.parse(text) as object;
}

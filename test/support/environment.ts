/**
 * Sets environment variables of this process and returns a function that restores their previous values. Tests do
 * not assign `process.env`: a new object is no longer the environment that Node.js itself reads.
 */
export function setEnvironment(values: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, values);
  return () => {
    for (const [name, value] of before)
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
  };
}

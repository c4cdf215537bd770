/** Settings for a known orchestrator, as the server lists them. */
export interface AdapterTemplate {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly login: string;
  /** Type of the plugin. */
  readonly model: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What a new adapter starts from. */
export interface StartingPoint {
  /** Type of the plugin. */
  readonly model: string;
  /** Name of the orchestrator; absent if only a plugin was chosen. */
  readonly title?: string;
  /** Absent: a draft from the schema of the plugin. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Returns the templates whose words contain every word of a search. */
export function matchingTemplates(
  templates: readonly AdapterTemplate[],
  search: string,
): readonly AdapterTemplate[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  return templates.filter(({ title, summary, login, model }) => {
    const words = `${title} ${summary} ${login} ${model}`.toLowerCase();
    return wanted.every((word) => words.includes(word));
  });
}

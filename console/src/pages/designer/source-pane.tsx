import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { text } from '../../design/designer-text.js';
import { type DraftPart, type FormDraft, PARTS } from '../../design/draft.js';
import { Segments } from '../../kit/choices.js';
import { CodeEditor, type CodeMark } from '../../kit/code-editor.js';
import { pointerAt } from '../../kit/code-positions.js';
import { createEchoFilter } from '../../kit/ignore-own-events.js';
import { StatusLabel } from '../../kit/status.js';
import { useUrlState } from '../../kit/url-state.js';
import type { Design } from './use-design.js';

/**
 * Renders the documents of the form as JSON. Edits apply to the design at once, and edits of the design are
 * shown here.
 */
export function SourcePane({ design }: { readonly design: Design }): ReactNode {
  const [{ part, at }, setUrl] = useUrlState({ part: 'schema', at: '' });
  const known = PARTS.find((one) => one === part) ?? 'schema';
  return (
    <>
      <Segments
        label={text('document')}
        options={PARTS.map((key) => ({ key, label: key }))}
        value={known}
        onChange={(next) => setUrl({ part: next, at: '' })}
      />
      <PartEditor key={known} design={design} part={known} at={at} />
    </>
  );
}

interface PartEditorProps {
  readonly design: Design;
  readonly part: DraftPart;
  /** Initial pointer. */
  readonly at: string;
}

function PartEditor({ design, part, at }: PartEditorProps): ReactNode {
  const { draft, change, canEdit } = design;
  const { json, write } = useJsonText({
    value: draft[part],
    accepts: (found) => isDocument(found, part),
    onChange: (found) => change({ ...draft, [part]: found }, `source ${part}`),
  });
  const { goTo, follow } = useCursor({ design, part, at }, json);
  return (
    <>
      <CodeEditor
        label={text('partAsJson', { part })}
        height="large"
        value={json}
        {...(canEdit && { onChange: write })}
        marks={useMarks(design, part)}
        goTo={goTo}
        onCursor={follow}
      />
      <div role="status">
        {isDocument(parsedOr(json, undefined), part) ? (
          <StatusLabel status="good">{text('inSync')}</StatusLabel>
        ) : (
          <StatusLabel status="bad">{text('invalidSource')}</StatusLabel>
        )}
      </div>
    </>
  );
}

function useMarks({ findings }: Design, part: DraftPart): readonly CodeMark[] {
  return useMemo(
    () =>
      findings
        .filter((finding) => finding.part === part)
        .map(({ pointer, message, kind }): CodeMark => ({ position: { pointer }, message, kind })),
    [findings, part],
  );
}

/** Synchronizes the cursor with the selected field, in both directions. */
function useCursor({ design, part, at }: PartEditorProps, json: string) {
  const { selected, select } = design;
  const followedField = useRef<string>(undefined);
  const wanted = at !== '' ? at : part === 'schema' ? selected : '';
  const goTo = useMemo(
    () =>
      wanted === '' || wanted === followedField.current
        ? undefined
        : { position: { pointer: wanted }, isFocus: at !== '' },
    [wanted, at],
  );
  const follow = (offset: number) => {
    const field = part === 'schema' ? fieldAround(pointerAt(json, offset)) : undefined;
    if (field === undefined || field === selected) return;
    followedField.current = field;
    select(field);
  };
  return { goTo, follow };
}

function isDocument(value: unknown, part: DraftPart): value is FormDraft[DraftPart] {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) || part === 'validationSchema';
}

/** Returns the pointer of the field whose schema contains a pointer. */
function fieldAround(pointer: string): string | undefined {
  return /^.*\/properties\/[^/]+/.exec(pointer)?.[0];
}

interface JsonTextOptions {
  readonly value: unknown;
  /** True if a parsed value is allowed. */
  readonly accepts: (found: unknown) => boolean;
  readonly onChange: (value: unknown) => void;
}

/** Edits a value as JSON text. An invalid text stays local and leaves the value unchanged. */
export function useJsonText({ value, accepts, onChange }: JsonTextOptions): {
  readonly json: string;
  readonly write: (json: string) => void;
} {
  const [json, setJson] = useState(() => jsonText(value));
  const [echoFilter] = useState(createEchoFilter<unknown>);
  useEffect(() => {
    if (echoFilter.isEcho(value)) return;
    // Something else changed the value: a button, a property, or undo.
    setJson((now) => (isSameJson(parsedOr(now, undefined), value) ? now : jsonText(value)));
  }, [echoFilter, value]);
  const write = (next: string): void => {
    setJson(next);
    const found = parsedOr(next, undefined);
    if (found === undefined || !accepts(found) || isSameJson(found, echoFilter.latest() ?? value)) return;
    echoFilter.notify(found);
    onChange(found);
  };
  return { json, write };
}

export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Returns the parsed value of a text; a default if it is not valid JSON. */
export function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

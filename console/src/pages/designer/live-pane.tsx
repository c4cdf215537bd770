import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { FORM_DIALECT, withExample } from '../../design/examples.js';
import { documentText, type FormState, openForm, readJson } from '../../form/model/index.js';
import { resolveBinding } from '../../form/resolve-binding.js';
import { FormView } from '../../form/view/form-view.js';
import { Button } from '../../kit/button.js';
import { Notice } from '../../kit/feedback.js';
import { useSay } from '../../kit/toasts.js';
import type { Design } from './use-design.js';

/** A preview of the form. Entered data stays while the form changes, and can be saved as an example. */
export function LivePane({ design }: { readonly design: Design }): ReactNode {
  const { draft, canEdit, change } = design;
  const say = useSay();
  const { schema, uiSchema, bindingSchema } = draft;
  const source = useMemo(() => ({ schema, uiSchema, bindingSchema }), [schema, uiSchema, bindingSchema]);
  const [state, setState] = useState<FormState | undefined>(() => tryOpen(source, '{}'));
  const opened = useRef(source);
  useEffect(() => {
    if (opened.current === source) return;
    opened.current = source;
    setState((previous) => tryOpen(source, previous ? documentText(previous) : '{}'));
  }, [source]);
  if (!state)
    return (
      <Notice kind="danger" title="The form cannot be displayed">
        The schema has errors. Open the tab Check to see them.
      </Notice>
    );
  const keep = () => {
    change(withExample(draft, 'accepted', JSON.parse(documentText(state)) as unknown));
    say('success', 'Added as an example. Save the form to keep it.');
  };
  return (
    <>
      <FormView state={state} onChange={setState} resolveBinding={resolveBinding} />
      {canEdit && (
        <div className="gh-actions">
          <Button isSmall onPress={keep}>
            Add entered data as example
          </Button>
        </div>
      )}
    </>
  );
}

function tryOpen(
  source: { readonly schema: unknown; readonly uiSchema: unknown; readonly bindingSchema: unknown },
  data: string,
): FormState | undefined {
  try {
    return openForm({ ...source, data: readJson(data) }, { dialect: FORM_DIALECT });
  } catch {
    return undefined;
  }
}

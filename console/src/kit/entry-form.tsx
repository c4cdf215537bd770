import type { ReactNode, SubmitEvent } from 'react';
import { Form } from '@patternfly/react-core/dist/esm/components/Form';

export interface EntryFormProps {
  /** What is asked for: "Search the trail". */
  readonly label: string;
  readonly onSubmit: () => void;
  /** For a button that sends it from outside. */
  readonly id?: string;
  readonly children: ReactNode;
}

/** Fields that are sent together, by their button or by Enter. */
export function EntryForm({ label, onSubmit, id, children }: EntryFormProps): ReactNode {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Form aria-label={label} onSubmit={submit} noValidate {...(id !== undefined && { id })}>
      {children}
    </Form>
  );
}

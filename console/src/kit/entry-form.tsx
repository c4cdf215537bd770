import type { ReactNode, SubmitEvent } from 'react';
import { Form } from '@patternfly/react-core/dist/esm/components/Form';

export interface EntryFormProps {
  /** Purpose of the form: "Search the trail". */
  readonly label: string;
  readonly onSubmit: () => void;
  /** Id of the form, for a submit button outside of it. */
  readonly id?: string;
  readonly children: ReactNode;
}

/** Fields that are submitted together, with a button or Enter. */
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

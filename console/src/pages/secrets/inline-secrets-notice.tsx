import type { ReactNode } from 'react';
import { CopyButton } from '../../kit/copy.js';
import { Notice } from '../../kit/feedback.js';

const STEPS = [
  {
    does: 'Show the plan: each value and its new reference.',
    command: 'npx gatehouse secrets migrate',
  },
  { does: 'Store the values in Vault with the commands of the plan.', command: undefined },
  {
    does: 'Change the files; a copy of each file is kept.',
    command: 'npx gatehouse secrets migrate --write',
  },
  { does: 'Check that Vault has every reference.', command: 'npx gatehouse secrets check' },
] as const;

/** Explains how to replace values that the platform encrypted. */
export function InlineSecretsNotice({ count }: { readonly count: number }): ReactNode {
  const title = count === 1 ? '1 value is encrypted with $ENC' : `${count} values are encrypted with $ENC`;
  return (
    <Notice kind="warning" title={`${title}: gatehouse cannot decrypt $ENC values and refuses them`}>
      <ol className="gh-steps">
        {STEPS.map(({ does, command }) => (
          <li key={does}>
            {does}{' '}
            {command !== undefined && (
              <>
                <code>{command}</code> <CopyButton text={() => command}>Copy</CopyButton>
              </>
            )}
          </li>
        ))}
      </ol>
    </Notice>
  );
}

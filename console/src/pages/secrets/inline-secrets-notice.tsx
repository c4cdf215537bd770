import type { ReactNode } from 'react';
import { CopyButton } from '../../kit/copy.js';
import { Notice } from '../../kit/feedback.js';

const STEPS = [
  {
    does: 'Look at the plan: every place, and the reference for it.',
    command: 'npx gatehouse secrets migrate',
  },
  { does: 'Store the values in Vault, with the commands of the plan.', command: undefined },
  { does: 'Change the files; each keeps a copy.', command: 'npx gatehouse secrets migrate --write' },
  { does: 'Ask Vault for every reference.', command: 'npx gatehouse secrets check' },
] as const;

/** Explains how to replace values that the platform encrypted. */
export function InlineSecretsNotice({ count }: { readonly count: number }): ReactNode {
  const title = count === 1 ? '1 value is still $ENC' : `${count} values are still $ENC`;
  return (
    <Notice kind="warning" title={`${title}: gatehouse cannot decrypt them, so they are refused`}>
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

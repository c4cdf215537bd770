import type { ReactNode } from 'react';
import { matchRoute, useLocation, useRouter } from 'wouter';
import { Button } from '../kit/button.js';
import { Dialog } from '../kit/dialog.js';
import { Facts } from '../kit/facts.js';
import { OuterLink } from '../kit/link.js';
import { Actions, Stack } from '../kit/page.js';
import { chooseFirstSteps } from '../pages/overview/first-steps-choice.js';
import { mayTakeFirstSteps } from '../pages/overview/first-steps.js';
import { pageTextOf } from '../text/text.js';
import type { OverlayProps } from './guards.js';
import { PAGES } from './pages.js';
import { useSession } from './session.js';
import { text } from './shell-text.js';

/** Explains the current page, and names its documentation and its command. */
export function Help({ onClose }: OverlayProps): ReactNode {
  const [location] = useLocation();
  const { parser } = useRouter();
  const { may } = useSession();
  const found = PAGES.find(({ path }) => matchRoute(parser, path, location)[0]) ?? PAGES[0];
  if (!found) return null;
  const { path, area, guide, command } = found;
  const pageText = pageTextOf(area);
  const showFirstSteps = () => {
    chooseFirstSteps('shown');
    onClose();
  };
  return (
    <Dialog title={text('help.title', { page: pageText('title') })} isOpen onClose={onClose}>
      <Stack>
        <p>{pageText('page.help')}</p>
        {path === '/' && mayTakeFirstSteps(may) && (
          <Actions>
            <Button onPress={showFirstSteps}>{text('help.firstSteps')}</Button>
          </Actions>
        )}
        <Facts
          facts={{
            [text('help.guide')]: (
              <OuterLink to={`/docs/guide/how-to/${guide}`}>{text('help.guide.link')}</OuterLink>
            ),
            ...(command !== undefined && { [text('help.command')]: <code>{command} --help</code> }),
            ...(may('getDocs') && {
              [text('help.reference')]: <OuterLink to="/docs">{text('help.reference.link')}</OuterLink>,
            }),
            [text('help.keys')]: text('help.keys.hint'),
          }}
        />
      </Stack>
    </Dialog>
  );
}

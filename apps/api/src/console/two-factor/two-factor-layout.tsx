import type { ComponentChildren } from 'preact';
import { CardLayout } from '../../pages/layout.js';
import { usePageContext } from '../../pages/page-context.js';
import { ActionButton } from '../../pages/parts/form.js';
import { PageLayout } from '../shell/shell.js';

/** Without the sidebar for people who can open nothing of it yet. */
export function TwoFactorLayout({ title, children }: { title: string; children: ComponentChildren }) {
  const { me } = usePageContext();
  if (!me.owesTwoFactor)
    return (
      <PageLayout title={title} section="/profile" narrow>
        {children}
      </PageLayout>
    );
  return (
    <CardLayout title={title}>
      {children}
      <ActionButton to="/sign-out" label={`Sign out ${me.email}`} class="link" />
    </CardLayout>
  );
}

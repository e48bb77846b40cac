import type { ComponentChildren } from 'preact';
import { CardLayout } from '../../ui/layout.js';
import { usePageContext } from '../../ui/page-context.js';
import { ActionButton } from '../../ui/parts/form.js';
import { PageLayout } from '../../shell/shell.js';

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
